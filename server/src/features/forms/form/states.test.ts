import { describe, expect, it } from 'vitest'
import { type KeptState, nextState, type StateChange, stateAt } from './states.js'

const now = new Date('2026-11-17T12:00:00Z')
const soon = new Date('2026-11-30T18:00:00Z')
const later = new Date('2026-12-31T18:00:00Z')
const past = new Date('2026-11-01T18:00:00Z')

const open: KeptState = { state: 'open', closesAt: null }
const openUntil: KeptState = { state: 'open', closesAt: soon }
const closedByTime: KeptState = { state: 'open', closesAt: past }
const closing: KeptState = { state: 'closing', closesAt: null }
const closed: KeptState = { state: 'closed', closesAt: null }

describe('the state at a moment', () => {
  it('an open form is closing from its time on, to the millisecond; nothing else depends on the time', () => {
    expect(stateAt(openUntil, new Date(soon.getTime() - 1))).toBe('open')
    expect(stateAt(openUntil, soon)).toBe('closing')
    for (const kept of [open, closing, closed]) expect(stateAt(kept, later)).toBe(kept.state)
  })
})

describe('what becomes of a state', () => {
  it.each<[string, KeptState, StateChange, KeptState]>([
    ['a state is set', open, { state: 'closing' }, closing],
    ['closing goes on to closed', closing, { state: 'closed' }, closed],
    ['closed is opened again', closed, { state: 'open' }, open],
    ['downloadable false closes, also what is closing', closing, { downloadable: false }, closed],
    ['downloadable true opens', closed, { downloadable: true }, open],
    ['a time is kept', open, { closesAt: soon }, openUntil],
    ['a time is moved', openUntil, { closesAt: later }, { state: 'open', closesAt: later }],
    ['a time is taken away', openUntil, { closesAt: null }, open],
    ['a time stays when the form is said to be open', openUntil, { state: 'open' }, openUntil],
    ['a time goes when the form is closed', openUntil, { state: 'closed' }, closed],
    ['opened again, a time that has passed goes', closedByTime, { state: 'open' }, open],
    ['opened again until another time', closedByTime, { state: 'open', closesAt: soon }, openUntil],
    ['without its time, what the time has closed stays closing', closedByTime, { closesAt: null }, closing],
    [
      'a whole form sent back changes nothing',
      openUntil,
      { state: 'open', downloadable: true, closesAt: soon },
      openUntil,
    ],
    [
      'nor one that its time has closed',
      closedByTime,
      { state: 'closing', downloadable: false, closesAt: past },
      closedByTime,
    ],
    ['of a whole form sent back, downloadable was changed', open, { state: 'open', downloadable: false }, closed],
    ['and here the state', open, { state: 'closing', downloadable: true }, closing],
    ['and here the state again', closed, { state: 'open', downloadable: false }, open],
    ['both, and they agree', open, { state: 'closing', downloadable: false }, closing],
  ])('%s', (_what, kept, change, next) => {
    expect(nextState(kept, change, now)).toEqual(next)
  })

  it.each<[string, KeptState, StateChange, string]>([
    ['both were changed, and say different things', closed, { state: 'closing', downloadable: true }, 'state'],
    ['a time that has passed', open, { closesAt: past }, 'closes_at'],
    ['a time for what is closing', closing, { closesAt: soon }, 'closes_at'],
    ['a time for what its time has closed', closedByTime, { closesAt: soon }, 'closes_at'],
    ['a time for what is being closed', open, { state: 'closed', closesAt: soon }, 'closes_at'],
  ])('is refused: %s', (_what, kept, change, field) => {
    expect(nextState(kept, change, now)).toEqual({ faults: { [field]: [expect.any(String)] } })
  })
})
