import { describe, expect, it } from 'vitest'
import { readCounts } from '@/api/counts'
import { readForm } from '@/api/form-model'
import { useTexts } from '@/texts'
import en from '@/texts/en/filter'
import { type Condition, type FieldKind, fromQuery, toQuery, withCondition } from './conditions'
import { dayAfter, dayIn, daysOf, startOfDay } from './days'
import { conditionOf, draftOf } from './draft'
import { fieldsOf } from './fields'
import { ownFieldLabel } from './own-fields'
import { inSentence } from './sentence'

const model = readForm({
  children: [
    { type: 'text', name: 'name', label: { English: 'Name', French: 'Nom' } },
    { type: 'integer', name: 'age', label: 'Age' },
    { type: 'date', name: 'day', label: 'Day' },
    {
      type: 'select one',
      name: 'roof',
      label: 'Roof',
      children: [
        { name: 'iron', label: { English: 'Iron sheets', French: 'Tôle' } },
        { name: 'thatch', label: { English: 'Thatch', French: 'Chaume' } },
      ],
    },
    { type: 'select all that apply', name: 'water', label: 'Water', children: [{ name: 'well', label: 'Well' }] },
    { type: 'photo', name: 'photo', label: 'Photo' },
    { type: 'note', name: 'hello', label: 'Hello' },
  ],
})
const fields = fieldsOf(model, 'English', ownFieldLabel)
const fieldOf = (key: string) => fields.find((field) => field.key === key)
const kindOf = (key: string): FieldKind | undefined => fieldOf(key)?.kind

const all: readonly [Condition, unknown, string][] = [
  [{ kind: 'contains', key: 'name', text: 'to"m' }, { $i: 'to"m' }, 'Name contains “to"m”'],
  [{ kind: 'equals', key: 'name', text: 'Tom' }, 'Tom', 'Name is “Tom”'],
  [{ kind: 'numbers', key: 'age', from: 5, to: 10 }, { $gte: 5, $lte: 10 }, 'Age is from 5 to 10'],
  [{ kind: 'numbers', key: 'age', from: 1000 }, { $gte: 1000 }, 'Age is 1,000 or more'],
  [{ kind: 'days', key: 'day', to: '2026-01-31' }, { $lte: '2026-01-31' }, 'Day is until Jan 31, 2026'],
  [
    { kind: 'days', key: '_submission_time', from: '2026-01-01', to: '2026-01-01' },
    { $gte: startOfDay('2026-01-01'), $lt: startOfDay('2026-01-02') },
    'Sent is Jan 1, 2026',
  ],
  [{ kind: 'among', key: 'roof', values: ['iron', null] }, { $in: ['iron', null] }, 'Roof is Iron sheets or no answer'],
  [{ kind: 'among', key: 'water', values: ['well'] }, { $has: ['well'] }, 'Water has Well'],
  [
    { kind: 'among', key: '_review_status', values: ['2', null] },
    { $in: ['2', null] },
    'Review is rejected or not reviewed',
  ],
  [{ kind: 'flag', key: '_edited', is: true }, true, 'Edited is yes'],
  [{ kind: 'empty', key: 'photo', is: true }, { $exists: false }, 'Photo has no answer'],
]

describe('a filter', () => {
  it.each(all)('%j is %j in the query language, and is read from it again', (condition, value) => {
    const query = toQuery([condition], kindOf)
    expect(JSON.parse(query)).toEqual({ [condition.key]: value })
    expect(fromQuery(query, kindOf)).toEqual([condition])
  })

  it.each(all)('%j is said in words', (condition, _, words) => {
    expect(inSentence(condition, fieldOf(condition.key), 'English', useTexts(en))).toBe(words)
  })

  it.each(all)('%j is shown by its control, which makes the same of it', (condition) => {
    const kind = kindOf(condition.key) ?? 'text'
    expect(conditionOf(condition.key, kind, draftOf(kind, condition))).toEqual(condition)
  })

  it('many conditions are one query; of one column twice they are joined by $and, and both are kept', () => {
    const two: Condition[] = [
      { kind: 'contains', key: 'name', text: 'a' },
      { kind: 'empty', key: 'name', is: false },
    ]
    expect(JSON.parse(toQuery(two, kindOf))).toEqual({ $and: [{ name: { $i: 'a' } }, { name: { $exists: true } }] })
    expect(fromQuery(toQuery(two, kindOf), kindOf)).toEqual(two)
    expect(toQuery([], kindOf)).toBe('')
  })

  it('what was written by hand and has no control stays as it is', () => {
    for (const query of [
      '{"$or":[{"age":1},{"name":"x"}]}',
      '{"age":{"$gt":3}}',
      '{"nobody":"x"}',
      '{"_submission_time":{"$gte":"2026-01-01T10:30:00Z"}}',
      '{"roof":{"$in":[]}}',
      '{"water":{"$i":"well"}}',
    ]) {
      expect(JSON.parse(toQuery(fromQuery(query, kindOf) ?? [], kindOf))).toEqual(JSON.parse(query))
    }
    expect(fromQuery('free text', kindOf)).toBeUndefined()
    expect(fromQuery('[1]', kindOf)).toBeUndefined()
  })

  it('a condition takes the place of those of its column', () => {
    const [name, , age] = all.map(([condition]) => condition) as [Condition, Condition, Condition]
    const next: Condition = { kind: 'empty', key: 'name', is: true }
    expect(withCondition([name, age], next)).toEqual([next, age])
    expect(withCondition([age], next)).toEqual([age, next])
  })

  it('notes are no columns; choices without a list are looked for as text', () => {
    expect(fieldOf('hello')).toBeUndefined()
    const [field] = fieldsOf(readForm({ children: [{ type: 'select one', name: 'town' }] }), undefined, String).slice(
      -1,
    )
    expect(field?.kind).toBe('text')
  })
})

describe('days', () => {
  it('go over months, leap days and changes of the clock', () => {
    expect(dayAfter('2028-02-28', 1)).toBe('2028-02-29')
    expect(dayAfter('2026-01-01', -1)).toBe('2025-12-31')
    expect(dayIn(startOfDay('2026-03-29'))).toBe('2026-03-29')
    expect(dayIn('2026-03-29T11:11:11Z')).toBeNull()
  })

  it('those that are often meant', () => {
    const now = new Date(2026, 2, 15, 12)
    expect(daysOf('last7', now)).toEqual({ from: '2026-03-09', to: '2026-03-15' })
    expect(daysOf('lastMonth', now)).toEqual({ from: '2026-02-01', to: '2026-02-28' })
    expect(daysOf('thisYear', now)).toEqual({ from: '2026-01-01', to: '2026-03-15' })
  })
})

describe('counts of choices', () => {
  it('are by name, whatever language the chart has', () => {
    const data = [
      { roof: ['Tôle'], count: 3 },
      { roof: ['Thatch'], count: 2 },
      { roof: [], count: 1 },
    ]
    const counts = readCounts({ field_name: 'roof', data, unanswered: 1 }, model.byKey.get('roof'))
    expect([...counts]).toEqual([
      [null, 1],
      ['iron', 3],
      ['thatch', 2],
    ])
  })

  it('of several choices are those of each, not of what was chosen together', () => {
    const counts = readCounts(
      { field_name: 'water', data: [{ water: ['Well', 'River'], count: 2 }], choices: [{ water: ['Well'], count: 5 }] },
      model.byKey.get('water'),
    )
    expect([...counts]).toEqual([['well', 5]])
  })
})
