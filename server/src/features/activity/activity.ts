// Counts of the last days, kept for a minute: start pages are opened all the time, by many people who see the same.
import { createHash } from 'node:crypto'
import { coalesced } from '../../platform/batching/index.js'
import type { Clock } from '../../platform/deps.js'
import { badRequest } from '../../platform/http/index.js'
import type { DayCount, SeenForm } from './activity.queries.js'

const millisecondsOfDay = 86_400_000

/** A number of the address within its bounds. */
export const wholeNumber = (
  text: string | undefined,
  { name, least, most, usual }: { name: string; least: number; most: number; usual: number },
): number => {
  if (text === undefined || text === '') return usual
  const value = Number(text)
  if (!Number.isInteger(value) || value < least || value > most) throw badRequest(`${name}: ${least} to ${most}.`)
  return value
}

/** From the beginning of the first day, where the caller is. */
export const windowOf = (now: Date, days: number, offset: number) => {
  const shift = offset * 60_000
  const today = Math.floor((now.getTime() + shift) / millisecondsOfDay)
  const first = (today - days + 1) * millisecondsOfDay
  return { from: new Date(first - shift), offset, firstDay: new Date(first).toISOString().slice(0, 10) }
}

/** A number for each day, by whatever a form belongs to. */
export const byDay = (
  counts: readonly DayCount[],
  days: number,
  keyOf: (formId: number) => number,
): ReadonlyMap<number, readonly number[]> => {
  const found = new Map<number, number[]>()
  for (const { formId, day, count } of counts) {
    const key = keyOf(formId)
    const line = found.get(key) ?? Array<number>(days).fill(0)
    // The clock of a device may be ahead: what is dated tomorrow counts as today.
    const place = Math.min(Math.max(day, 0), days - 1)
    line[place] = (line[place] ?? 0) + count
    found.set(key, line)
  }
  return found
}

export const partsOf = (forms: readonly SeenForm[]) => ({
  wholeIds: forms.filter(({ isWhole }) => isWhole).map(({ id }) => id),
  ownIds: forms.filter(({ isWhole }) => !isWhole).map(({ id }) => id),
})

const keptMilliseconds = 60_000
/** Each is some kilobytes. */
const mostKept = 500

/** Equal questions have equal answers for a minute. What somebody sees is part of the question: who is shut out asks another. */
export const keptForAMinute = <T>(clock: Clock) => {
  const kept = new Map<string, { value: T; until: number }>()
  const ask = coalesced(
    ({ key }: { key: string; make: () => Promise<T> }) => key,
    async ({ key, make }) => {
      const known = kept.get(key)
      if (known !== undefined && known.until > clock.now().getTime()) return known.value
      const value = await make()
      kept.delete(key)
      kept.set(key, { value, until: clock.now().getTime() + keptMilliseconds })
      const [oldest] = kept.keys()
      if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
      return value
    },
  )
  return (about: readonly unknown[], make: () => Promise<T>): Promise<T> =>
    ask({ key: createHash('sha256').update(JSON.stringify(about)).digest('base64url'), make })
}
