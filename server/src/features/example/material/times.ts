// When records come in: on working days, some on Saturdays, seldom on Sundays; few at first, more as the teams find their way.
import type { Chance } from './chance.js'

const dayMs = 86_400_000
/** The people of the example live three hours east of Greenwich. */
const zoneMs = 3 * 3_600_000
const zone = '+03:00'

/** Sunday first. */
const weekdays = [0.06, 1, 1.1, 1.15, 1.05, 0.9, 0.4]

/** Midnight there, of each day with its share of all records. */
const daysBefore = (now: Date, days: number): { at: number; share: number }[] => {
  const today = Math.floor((now.getTime() + zoneMs) / dayMs) * dayMs - zoneMs
  return Array.from({ length: days }, (_, back) => {
    const at = today - back * dayMs
    const weekday = new Date(at + zoneMs).getUTCDay()
    const progress = 1 - back / days
    return { at, share: (weekdays[weekday] ?? 1) * (0.35 + 0.65 * Math.min(1, progress * 1.6)) }
  })
}

export interface Visit {
  /** From 0, the first day, to 1, today. */
  readonly progress: number
  readonly start: Date
  readonly end: Date
  readonly submitted: Date
}

/** So many visits of the last days, the earliest first; none of them lies ahead. */
export const visitsBefore = (chance: Chance, now: Date, days: number, count: number): Visit[] => {
  const shares = daysBefore(now, days)
  const total = shares.reduce((sum, { share }) => sum + share, 0)
  const drawDay = (): number => {
    let rest = chance.next() * total
    for (const { at, share } of shares) {
      rest -= share
      if (rest < 0) return at
    }
    return (shares[0] as { at: number }).at
  }
  const first = (shares.at(-1) as { at: number }).at
  const visits = Array.from({ length: count }, () => {
    // Between eight and five, fewer at noon.
    const hour = 8.2 + chance.next() * 4.1 + (chance.inHundred(46) ? 4.6 : 0)
    const minutes = 14 + Math.abs(chance.bell()) * 9
    // What is sent in the evening arrives in the evening; most arrives within minutes.
    const wait = chance.inHundred(18) ? 120 + chance.next() * 240 : 1 + chance.next() * 20
    const begun = drawDay() + hour * 3_600_000
    const sent = begun + (minutes + wait) * 60_000
    const back = Math.max(0, Math.ceil((sent - now.getTime()) / dayMs)) * dayMs
    return {
      progress: Math.max(0, (begun - back - first) / (days * dayMs)),
      start: new Date(begun - back),
      end: new Date(begun - back + minutes * 60_000),
      submitted: new Date(sent - back),
    }
  })
  return visits.sort((one, other) => one.submitted.getTime() - other.submitted.getTime())
}

/** As a device there writes it. */
export const momentText = (at: Date): string => `${new Date(at.getTime() + zoneMs).toISOString().slice(0, 23)}${zone}`

export const dayText = (at: Date): string => new Date(at.getTime() + zoneMs).toISOString().slice(0, 10)
