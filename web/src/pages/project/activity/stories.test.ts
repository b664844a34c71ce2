import { describe, expect, it } from 'vitest'
import type { ProjectEvent } from '@/api/events'
import { byDay, storiesOf } from './stories'

const event = (id: number, minute: number, more: Partial<ProjectEvent> = {}): ProjectEvent => ({
  id,
  verb: 'submission_created',
  formid: 1,
  form: 'Visit',
  ids: [id],
  message: null,
  user: 'ben',
  timestamp: new Date(Date.UTC(2026, 0, 5, 12, minute)).toISOString(),
  ...more,
})

describe('stories', () => {
  it('what one person does in a row is one story, with every record once', () => {
    expect(storiesOf([event(3, 30), event(2, 20), event(1, 10, { ids: [2, 1] })])).toMatchObject([
      { id: 3, ids: [3, 2, 1] },
    ])
  })
  it.each([
    ['another person', { user: 'cyd' }],
    ['somebody unknown', { user: null }],
    ['another form', { formid: 2 }],
    ['another deed', { verb: 'submission_edited' }],
    ['long before', { timestamp: '2026-01-05T09:00:00.000Z' }],
  ])('%s is another', (_, more) => {
    expect(storiesOf([event(2, 20), event(1, 10, more)])).toHaveLength(2)
  })
  it('what people write is never put together', () => {
    const said = { verb: 'message', message: 'Hello', ids: [] }
    expect(storiesOf([event(2, 20, said), event(1, 10, said)])).toHaveLength(2)
  })
  it('days follow each other', () => {
    const before = event(1, 0, { timestamp: '2026-01-03T12:00:00.000Z' })
    expect(byDay(storiesOf([event(3, 2), before])).map(({ stories }) => stories.length)).toEqual([1, 1])
  })
})
