// Which questions have an index: what somebody wants, then what was asked for lately, within the bounds of a form, of an account
// and of all. What somebody wants of a small form comes behind all that is of use: forms without a record cost nothing, and would take
// the room from those that have millions.
import { budgets } from '../../../budgets.js'
import type { TendedIndex } from './indexes.queries.js'

const dayMs = 86_400_000

export interface IndexBounds {
  readonly records: number
  readonly lookedThrough: number
  readonly perForm: number
  readonly perOwner: number
  readonly inAll: number
  readonly keptDays: number
  readonly restDays: number
}

const isWanted = ({ wantedBy, state }: TendedIndex): boolean =>
  wantedBy !== null && (state === 'waiting' || state === 'made')

const daysSince = (time: Date, now: Date): number => (now.getTime() - time.getTime()) / dayMs

const weightOf = ({ filtered, sorted, records }: TendedIndex): number => (filtered + sorted) * records

/** Since when it is of no use: not asked for, or tried in vain, which may be another matter by then. */
const restingSince = ({ state, stateAt, askedAt }: TendedIndex): Date =>
  state === 'useless' || state === 'failed' ? stateAt : (askedAt ?? stateAt)

/** Nobody asks for it any more: what was counted, and what made itself. What somebody has said stays. */
export const isOver = (index: TendedIndex, now: Date, { keptDays }: IndexBounds = budgets.indexes): boolean =>
  index.isFormGone ||
  (!isWanted(index) && index.state !== 'forbidden' && daysSince(restingSince(index), now) > keptDays)

/** Asked for so often that looking through all records has cost more than making one would. */
const isDue = (index: TendedIndex, { records, lookedThrough }: IndexBounds): boolean =>
  index.state === 'asked' && index.records >= records && weightOf(index) >= lookedThrough

const ofUse = 2

const rankOf = (index: TendedIndex, now: Date, bounds: IndexBounds): number | undefined => {
  if (isWanted(index)) return index.records >= bounds.records ? 0 : ofUse + 1
  // Somebody wanted it, and is no longer there.
  const isMade = index.state === 'made' || index.state === 'waiting'
  if (isMade) return daysSince(restingSince(index), now) <= bounds.restDays ? 1 : ofUse + 2
  return isDue(index, bounds) ? ofUse : undefined
}

const countOf = (chosen: readonly TendedIndex[], what: 'formId' | 'ownerId', index: TendedIndex): number =>
  chosen.filter((one) => one[what] === index[what]).length

/** Those that are to be there, the most wanted first. */
export const chosenOf = (
  indexes: readonly TendedIndex[],
  now: Date,
  bounds: IndexBounds = budgets.indexes,
): TendedIndex[] => {
  const ranked = indexes.flatMap((index) => {
    const rank = isOver(index, now, bounds) ? undefined : rankOf(index, now, bounds)
    return rank === undefined ? [] : [{ index, rank }]
  })
  ranked.sort((a, b) => a.rank - b.rank || weightOf(b.index) - weightOf(a.index) || a.index.id - b.index.id)
  const chosen: TendedIndex[] = []
  const choose = (some: readonly TendedIndex[], perOwner: number): void => {
    for (const index of some) {
      const isFull =
        chosen.length >= bounds.inAll ||
        chosen.includes(index) ||
        countOf(chosen, 'formId', index) >= bounds.perForm ||
        countOf(chosen, 'ownerId', index) >= perOwner
      if (!isFull) chosen.push(index)
    }
  }
  const useful = ranked.filter(({ rank }) => rank <= ofUse).map(({ index }) => index)
  const rest = ranked.filter(({ rank }) => rank > ofUse).map(({ index }) => index)
  // What an account has beyond its share is there as long as nobody else needs the room.
  for (const some of [useful, rest]) for (const perOwner of [bounds.perOwner, bounds.inAll]) choose(some, perOwner)
  return chosen
}
