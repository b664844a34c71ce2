import { describe, expect, it } from 'vitest'
import { showAgo, showRelative, showSpan } from '@/texts'

describe('times', () => {
  const now = Date.parse('2026-03-01T12:00:00Z')

  it('what has happened is never in the future, however the clocks differ', () => {
    expect(showRelative(now + 3000, now)).toBe('in 3 seconds')
    for (const ahead of [1, 3000, 400_000]) expect(showAgo(now + ahead, now)).toBe('now')
    expect(showAgo(new Date(now + 3000).toISOString(), now)).toBe('now')
    expect(showAgo(now - 300_000, now)).toBe('5 minutes ago')
    expect(showAgo('no date', now)).toBe('no date')
  })

  it('a span has the largest unit that it has two of', () => {
    const day = 86_400
    expect([30 * day, 2 * day, day, 7200, 5400].map(showSpan)).toEqual([
      '30 days',
      '2 days',
      '24 hours',
      '2 hours',
      '90 minutes',
    ])
  })
})
