// What PostgreSQL cannot store is refused at the door: a zero character and half of a surrogate pair would fail there
// with an error of ours, and a very deep value would exhaust the stack when it is written out again.
import { budgets } from '../../budgets.js'

const deepest = budgets.bodies.levels

/** What is wrong with the texts inside a JSON value, or undefined. Walks with its own stack: depth is the attack. */
export const textFault = (value: unknown): string | undefined => {
  const open: { value: unknown; depth: number }[] = [{ value, depth: 0 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const fault = typeof next.value === 'string' ? faultOf(next.value) : undefined
    if (fault !== undefined) return fault
    if (typeof next.value !== 'object' || next.value === null) continue
    if (next.depth >= deepest) return `Ensure this field is nested no deeper than ${deepest} levels.`
    for (const [key, inner] of Object.entries(next.value)) {
      const keyFault = faultOf(key)
      if (keyFault !== undefined) return keyFault
      open.push({ value: inner, depth: next.depth + 1 })
    }
  }
  return undefined
}

const faultOf = (text: string): string | undefined => {
  if (text.includes('\0')) return 'Null characters are not allowed.'
  return /\p{Surrogate}/u.test(text) ? 'Surrogate characters are not allowed.' : undefined
}
