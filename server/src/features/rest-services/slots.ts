// Who may be called now. A receiver that does not answer holds its slots for as long as the longest wait, so slots are
// counted per service, and those that fail share one half of all: the others always have the other half. Slow ones that
// succeed are bounded by whose they are: nobody keeps everybody else waiting.
import type { Slots } from '../deliveries/index.js'

export interface Waiting {
  readonly id: number
  /** In a row. */
  readonly failures: number
  /** Existing data goes one at a time, in the order of its ids. */
  readonly isInOrder: boolean
  readonly ownerId: number
}

export interface SlotLimits {
  readonly perService: number
  readonly perOwner: number
  readonly inTotal: number
}

/** Calls in hand by service. */
export type InHand = ReadonlyMap<
  number,
  { readonly count: number; readonly isFailing: boolean; readonly ownerId: number }
>

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, number) => total + number, 0)

export const shareSlots = (waiting: readonly Waiting[], inHand: InHand, limits: SlotLimits): Slots[] => {
  const busy = [...inHand.values()]
  let free = limits.inTotal - sum(busy.map(({ count }) => count))
  let freeForFailing =
    Math.floor(limits.inTotal / 2) - sum(busy.filter(({ isFailing }) => isFailing).map(({ count }) => count))
  const countOf = (id: number) => inHand.get(id)?.count ?? 0
  const ofOwner = new Map<number, number>()
  for (const { count, ownerId } of busy) ofOwner.set(ownerId, (ofOwner.get(ownerId) ?? 0) + count)
  const slots: Slots[] = []
  // Those with the least in hand come first, so that a few busy services cannot keep the rest out.
  for (const { id, failures, isInOrder, ownerId } of [...waiting].sort((a, b) => countOf(a.id) - countOf(b.id))) {
    const isFailing = failures > 0
    const most = isFailing || isInOrder ? 1 : limits.perService
    const freeForOwner = limits.perOwner - (ofOwner.get(ownerId) ?? 0)
    const wanted = Math.min(most - countOf(id), free, freeForOwner, isFailing ? freeForFailing : free)
    if (wanted <= 0) continue
    slots.push({ serviceId: id, free: wanted })
    free -= wanted
    ofOwner.set(ownerId, (ofOwner.get(ownerId) ?? 0) + wanted)
    if (isFailing) freeForFailing -= wanted
  }
  return slots
}
