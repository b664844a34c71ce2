import { describe, expect, it } from 'vitest'
import { dayOf, endOfDay, keyStateOf } from './key-state'

const now = Date.parse('2026-03-01T12:00:00Z')
const live = { revoked_at: null, stopped_at: null, expires_at: null }

describe('keyStateOf', () => {
  it('works until its end, its stop, or the loss of its holder', () => {
    expect(keyStateOf(live, now)).toBe('works')
    expect(keyStateOf({ ...live, expires_at: '2026-03-01T12:00:01Z' }, now)).toBe('works')
    expect(keyStateOf({ ...live, expires_at: '2026-03-01T12:00:00Z' }, now)).toBe('expired')
    expect(keyStateOf({ ...live, stopped_at: '2026-02-01T00:00:00Z' }, now)).toBe('stopped')
    expect(keyStateOf({ ...live, stopped_at: '2026-02-01T00:00:00Z', revoked_at: '2026-02-01T00:00:00Z' }, now)).toBe(
      'revoked',
    )
  })
})

describe('the day until which it works', () => {
  it('is the same day, there and back', () => {
    for (const day of ['2026-01-01', '2026-12-31', '2028-02-29']) expect(dayOf(endOfDay(day) ?? null)).toBe(day)
    expect(endOfDay('')).toBeUndefined()
    expect(dayOf(null)).toBe('')
  })
})
