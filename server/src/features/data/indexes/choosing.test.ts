import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { budgets } from '../../../budgets.js'
import { chosenOf, isOver } from './choosing.js'
import type { IndexState, TendedIndex } from './indexes.queries.js'

const now = new Date('2026-05-01T12:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
const { records, lookedThrough, keptDays, restDays } = budgets.indexes
/** Of the least form that may have one. */
const often = lookedThrough / records
const bounds = { ...budgets.indexes, perForm: 2, perOwner: 2, inAll: 3 }

let last = 0
const index = (fields: Partial<TendedIndex> = {}): TendedIndex => ({
  id: ++last,
  formId: 1,
  ownerId: 1,
  key: 'name',
  kind: 'text',
  state: 'asked',
  filtered: often,
  sorted: 0,
  askedAt: now,
  stateAt: now,
  wantedBy: null,
  records,
  isFormGone: false,
  ...fields,
})

const ids = (indexes: readonly TendedIndex[]) => chosenOf(indexes, now, bounds).map(({ id }) => id)

describe('an index is chosen', () => {
  it('when so many records were looked through for it, filtered or sorted, and never in a small form', () => {
    const [filtered, both] = [index(), index({ filtered: often - 4, sorted: 4 })]
    expect(ids([filtered, both])).toEqual([filtered.id, both.id])
    expect(ids([index({ filtered: often - 1 }), index({ records: records - 1, filtered: 2 * often })])).toEqual([])
  })

  it('when somebody wants it, whatever was asked', () => {
    const wanted = index({
      state: 'waiting',
      wantedBy: 7,
      filtered: 0,
      records: 0,
      askedAt: null,
      stateAt: daysAgo(100),
    })
    expect(ids([wanted])).toEqual([wanted.id])
  })

  it.each<IndexState>(['forbidden', 'useless', 'failed'])('never while it is %s', (state) => {
    expect(ids([index({ state, filtered: 1000 })])).toEqual([])
  })

  it('before one that was not asked for since yesterday, and after one that was', () => {
    const idle = index({ state: 'made', askedAt: daysAgo(restDays + 1) })
    const busy = index({ state: 'made', filtered: 0 })
    const fresh = index({ filtered: 1000 })
    expect(ids([idle, busy, fresh])).toEqual([busy.id, fresh.id])
  })

  it('in a form that is too small to need one only where nobody else needs the room, whoever wants it', () => {
    const strangers = [5, 6, 7].map((number) =>
      index({ formId: number, ownerId: number, state: 'made', wantedBy: number, records: records - 1 }),
    )
    const busy = index({ state: 'made' })
    const due = index({ formId: 2 })
    const beyond = index({ formId: 3, state: 'made' })
    expect(ids(strangers)).toEqual(strangers.map(({ id }) => id))
    expect(ids([...strangers, due, busy])).toEqual([busy.id, due.id, strangers[0]?.id])
    expect(ids([...strangers, due, busy, beyond])).toEqual([busy.id, beyond.id, due.id])
    const wanted = index({ formId: 9, ownerId: 9, state: 'waiting', wantedBy: 9 })
    expect(ids([...strangers, due, busy, wanted])).toEqual([wanted.id, busy.id, due.id])
    // Nobody asks for it any more.
    const idle = index({ formId: 4, ownerId: 4, state: 'made', askedAt: daysAgo(restDays + 1) })
    expect(ids([...strangers, idle])).toEqual(strangers.map(({ id }) => id))
  })

  it('beyond the share of its account only where nobody else needs the room, whatever they want', () => {
    const wanted = [1, 2, 3].map((formId) => index({ formId, state: 'waiting', wantedBy: 7 }))
    const made = index({ formId: 4, ownerId: 2, state: 'made' })
    expect(ids(wanted)).toEqual(wanted.map(({ id }) => id))
    expect(ids([...wanted, made])).toEqual([wanted[0]?.id, wanted[1]?.id, made.id])
  })

  it('within the bounds of its form and of all, whatever there is', () => {
    const any = fc.record({
      formId: fc.integer({ min: 1, max: 3 }),
      state: fc.constantFrom<IndexState>('asked', 'waiting', 'made', 'forbidden', 'useless', 'failed'),
      wantedBy: fc.option(fc.constant(7)),
      filtered: fc.nat({ max: 2 * often }),
      askedAt: fc.nat({ max: 20 }).map(daysAgo),
    })
    fc.assert(
      fc.property(fc.array(any, { maxLength: 12 }), (all) => {
        const chosen = chosenOf(all.map(index), now, bounds)
        expect(chosen.length).toBeLessThanOrEqual(bounds.inAll)
        for (const form of [1, 2, 3])
          expect(chosen.filter(({ formId }) => formId === form).length).toBeLessThanOrEqual(bounds.perForm)
      }),
    )
  })
})

describe('an index is over', () => {
  it('when nobody has asked for it for two weeks, unless somebody wants or forbids it', () => {
    const askedAt = daysAgo(keptDays + 1)
    expect(isOver(index({ state: 'made', askedAt }), now)).toBe(true)
    expect(isOver(index({ state: 'made', askedAt: daysAgo(keptDays - 1) }), now)).toBe(false)
    expect(isOver(index({ state: 'made', askedAt, wantedBy: 7 }), now)).toBe(false)
    expect(isOver(index({ state: 'forbidden', askedAt }), now)).toBe(false)
  })

  it('two weeks after it was tried in vain, though it is asked for: it may be another matter by then', () => {
    for (const state of ['useless', 'failed'] as const) {
      expect(isOver(index({ state, stateAt: daysAgo(keptDays + 1) }), now)).toBe(true)
      expect(isOver(index({ state, stateAt: daysAgo(1) }), now)).toBe(false)
    }
  })

  it('with its form', () => {
    expect(isOver(index({ state: 'made', wantedBy: 7, isFormGone: true }), now)).toBe(true)
  })
})
