import { emailKey } from '../users/index.js'

const longest = 30

/** `name` in place of two fields: split at the first blank; a very long one is cut into two halves of 30. */
export const splitName = (name: string): { firstName: string; lastName: string } => {
  const characters = [...name]
  if (characters.length > 2 * longest) {
    return {
      firstName: characters.slice(0, longest).join('').trim(),
      lastName: characters
        .slice(longest, 2 * longest)
        .join('')
        .trim(),
    }
  }
  const [first = '', ...rest] = name.split(' ')
  const last = rest.join(' ').trim()
  return { firstName: [...first].slice(0, longest).join(''), lastName: [...last].slice(0, longest).join('') }
}

export interface NameFields {
  first_name?: string
  last_name?: string
  name?: string
}

/** The explicit fields win over `name`. */
export const namesOf = (body: NameFields): { firstName: string | undefined; lastName: string | undefined } => {
  const split = body.name === undefined || body.name === '' ? undefined : splitName(body.name)
  return { firstName: body.first_name ?? split?.firstName, lastName: body.last_name ?? split?.lastName }
}

export const isSameEmail = (one: string | null, other: string): boolean =>
  one !== null && emailKey(one) === emailKey(other)
