// What somebody may have meant who names something that is not there.
import { didYouMean } from '@sheaf/xlsform/form'
import type { Condition } from './condition.js'

/** Looking further would cost more than it gives. */
const mostNames = 20_000

const firstOf = (names: Iterable<string>): string[] => {
  const first: string[] = []
  for (const name of names) if (first.push(name) === mostNames) break
  return first
}

/** ` Did you mean 'visit/age'?`, or nothing. A question is known by its path, and people think of its name alone. */
export const hintFor = (name: string, known: Iterable<string>): string => {
  // Of one or two letters everything is near.
  if (name.length < 3) return ''
  const keys = firstOf(known)
  const wanted = name.toLowerCase()
  const within = keys.find((key) => key.toLowerCase().endsWith(`/${wanted}`))
  if (within !== undefined) return ` Did you mean '${within}'?`
  return didYouMean(name, keys)
}

/** Every field that a query names, each once. */
export const keysIn = (condition: Condition): Set<string> => {
  const keys = new Set<string>()
  const visit = (part: Condition): void => {
    if ('conditions' in part) part.conditions.forEach(visit)
    else if ('condition' in part) visit(part.condition)
    else if ('key' in part) keys.add(part.key)
  }
  visit(condition)
  return keys
}
