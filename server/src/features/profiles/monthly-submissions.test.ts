import { describe, expect, it } from 'vitest'
import { monthOf } from './monthly-submissions.routes.js'

const clock = { now: () => new Date('2026-11-30T23:59:59.999Z') }

describe('the month asked for', () => {
  it.each([
    [{}, { year: 2026, month: 11 }],
    [{ month: '2' }, { year: 2026, month: 2 }],
    [{ year: '2024' }, { year: 2024, month: 11 }],
    [
      { month: '02', year: '2024' },
      { year: 2024, month: 2 },
    ],
  ])('%j is %j; what is not given is current, in UTC', (query, month) => expect(monthOf(query, clock)).toEqual(month))
})
