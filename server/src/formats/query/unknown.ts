// What somebody may have meant who names something that is not there.
import { didYouMean } from '@sheaf/xlsform'

/** ` Did you mean 'visit/age'?`, or nothing. A question is known by its path, and people think of its name alone. */
export const hintFor = (name: string, known: Iterable<string>): string => {
  // Of one or two letters everything is near.
  if (name.length < 3) return ''
  const keys = [...known]
  const wanted = name.toLowerCase()
  const within = keys.find((key) => key.toLowerCase().endsWith(`/${wanted}`))
  if (within !== undefined) return ` Did you mean '${within}'?`
  return didYouMean(name, keys)
}
