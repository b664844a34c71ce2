import { describe, expect, it } from 'vitest'
import { type ListedForm, narrowed } from './listed-forms'

const form = (name: string, more: Partial<ListedForm> = {}): ListedForm => ({
  formid: 1,
  name,
  id_string: name.toLowerCase().replaceAll(' ', '_'),
  encrypted: false,
  state: 'open',
  num_of_submissions: 0,
  last_submission_time: null,
  ...more,
})
const forms = [
  form('Visit 10', { num_of_submissions: 3, last_submission_time: '2026-01-02T00:00:00Z' }),
  form('Visit 2', { num_of_submissions: 9, last_submission_time: '2026-01-01T00:00:00Z' }),
  form('Old census', { state: 'closed' }),
]
const names = (
  text = '',
  state: 'all' | 'open' | 'closing' | 'closed' = 'all',
  order: 'name' | 'last' | 'count' = 'name',
) => narrowed(forms, { text, state, order }).map(({ name }) => name)

describe('forms of a project', () => {
  it.each([
    ['name', ['Old census', 'Visit 2', 'Visit 10']],
    ['last', ['Visit 10', 'Visit 2', 'Old census']],
    ['count', ['Visit 2', 'Visit 10', 'Old census']],
  ] as const)('by %s', (order, expected) => expect(names('', 'all', order)).toEqual(expected))
  it('by words in title and id', () => expect(names('10 visit_')).toEqual(['Visit 10']))
  it('open, closing or closed', () => {
    expect(names('', 'closed')).toEqual(['Old census'])
    expect(names('', 'closing')).toEqual([])
    expect(names('', 'open')).toHaveLength(2)
  })
})
