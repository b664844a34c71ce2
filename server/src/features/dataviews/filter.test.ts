// Whatever the filter, a dataview shows what a naive filter over the records on the wire leaves.
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { put, useForm } from '../../../test/support/data.js'
import { dataOf, newDataview } from '../../../test/support/dataviews.js'

const app = testApp()
const place = useForm(app)
let dataview: number
let records: Json[]

type Json = Record<string, unknown>

const texts = ['tom', 'Tom', 'TOMÉ', '%', '_', "'; --", '"', '\\', '😀', 'true', 'n/a', '[1]', '$.x', '10']
const numbers = ['0', '9', '10', '21', '21.0', '-3', '+4', '1.5', '.5', '1e2', 'NaN', 'x']
const days = ['2020-01-01', '2020-02-29', '2020-02-30', '2021-06-01', 'soon']
const moments = [
  '2024-01-01T00:00:00',
  '2024-01-01',
  '2024-01-01T00:00:00.7',
  '2024-01-01T00:00:01',
  '2024-02-01T12:00:00',
]

const maybe = (values: readonly string[]) => fc.option(fc.constantFrom(...values), { nil: undefined })
const record = fc.record({
  name: maybe(texts),
  age: maybe(numbers),
  'visit/height': maybe(numbers),
  'visit/day': maybe(days),
  kids: fc.option(fc.array(fc.record({ 'kids/kname': maybe(texts), 'kids/kage': maybe(numbers) }), { maxLength: 3 }), {
    nil: undefined,
  }),
})

beforeAll(async () => {
  const rows = fc.sample(record, { numRuns: 60, seed: 11 }).map((one, index) => ({
    answers: JSON.parse(JSON.stringify(one)) as object,
    at: `${moments[index % 2 === 0 ? 3 : 4]}.300Z`,
    by: index % 3 === 0 ? place.ana.id : null,
    notes: index % 4 === 0 ? [{ note: 'tom' }, { note: 'Tom' }] : [],
    ...(index % 5 === 0 && { editedAt: '2024-01-01T00:00:00.700Z', duration: index }),
  }))
  await put(app, place.form, ...rows)
  records = (await app.as(place.ana)('GET', `/data/${place.form.id}`)).json()
  dataview = await newDataview(app, place)
})

const kinds: Record<string, 'number' | 'date' | 'moment' | 'boolean'> = {
  age: 'number',
  'visit/height': 'number',
  'kids/kage': 'number',
  _duration: 'number',
  'visit/day': 'date',
  _submission_time: 'moment',
  _last_edited: 'moment',
  _edited: 'boolean',
}
const operands = { number: numbers, date: days, moment: moments, boolean: ['true', 'False', '0', 'maybe'], text: texts }

const valuesOf = (one: Json, column: string): unknown[] => {
  if (column.startsWith('kids/')) return ((one.kids ?? []) as Json[]).map((kid) => kid[column])
  if (column === '_notes') return (one._notes as Json[]).map(({ note }) => note)
  return [column === '_duration' && one[column] === '' ? null : one[column]]
}

const isDay = (text: string): boolean => {
  const day = text.slice(0, 10)
  return /^\d{4}-\d\d-\d\d/.test(text) && new Date(`${day}Z`).toJSON()?.slice(0, 10) === day
}

/** NaN for what is not of the kind. */
const measured = (column: string, text: string): number | string => {
  switch (kinds[column]) {
    case 'number':
      return /^[+-]?(\d+(\.\d*)?|\.\d+)(e\d+)?$/.test(text) ? Number(text) : Number.NaN
    case 'date':
      // What was stored counts as it stands there; what a filter compares with must be in the calendar.
      return /^\d{4}-\d\d-\d\d/.test(text) ? text.slice(0, 10) : Number.NaN
    case 'moment':
      return Date.parse(/T/.test(text) && !/(Z|\+00:00)$/.test(text) ? `${text}Z` : text)
    case 'boolean':
      return { true: 1, '1': 1, false: 0, '0': 0 }[text.toLowerCase()] ?? Number.NaN
    default:
      return text
  }
}

const order = (a: number | string, b: number | string): number | undefined => {
  if (typeof a === 'number' || typeof b === 'number')
    return Number.isNaN(Number(a) - Number(b)) ? undefined : Number(a) - Number(b)
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

const tests: Record<string, (order: number) => boolean> = {
  '=': (order) => order === 0,
  '>': (order) => order > 0,
  '<': (order) => order < 0,
  '>=': (order) => order >= 0,
  '<=': (order) => order <= 0,
  '<>': (order) => order !== 0,
  '!=': (order) => order !== 0,
}

interface Item {
  column: string
  filter: string
  value: string
  condition?: string
}

const holds = (one: Json, { column, filter, value }: Item): boolean =>
  valuesOf(one, column).some((found) => {
    if (found === null || found === undefined) return false
    const difference = order(measured(column, String(found)), measured(column, value))
    return difference !== undefined && (tests[filter] as (order: number) => boolean)(difference)
  })

const naive = (items: readonly Item[]): unknown[] => {
  const either = items.filter(({ condition }) => condition === 'or')
  const rest = items.filter(({ condition }) => condition !== 'or')
  return records
    .filter((one) => rest.every((item) => holds(one, item)))
    .filter((one) => either.length === 0 || either.some((item) => holds(one, item)))
    .map(({ _id }) => _id)
}

/** What a dataview may be made with: values of the column's kind, and no order among yes and no. */
const isRight = ({ column, filter, value }: Item): boolean =>
  !Number.isNaN(measured(column, value)) &&
  (kinds[column] !== 'date' || isDay(value)) &&
  !(kinds[column] === 'boolean' && /^([<>]|[<>]=)$/.test(filter))

const columns = [...Object.keys(kinds), 'name', 'kids/kname', '_notes', '_submitted_by']
const item = fc
  .tuple(
    fc.constantFrom(...columns),
    fc.constantFrom(...Object.keys(tests)),
    fc.constantFrom(undefined, 'and', 'or'),
    fc.nat(),
  )
  .map(([column, filter, condition, at]): Item => {
    const values = operands[kinds[column] ?? 'text']
    return { column, filter, value: values[at % values.length] as string, ...(condition && { condition }) }
  })

describe('the filter of a dataview', () => {
  it('leaves what a naive filter leaves, or is refused with 400 for a value of another kind; never anything else', async () => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 4 }), async (query) => {
        const changed = await app.as(place.ana)('PATCH', `/dataviews/${dataview}`, { body: { query } })
        expect(changed.statusCode).toBe(query.every(isRight) ? 200 : 400)
        if (changed.statusCode !== 200) return
        compared += 1
        const shown = (await dataOf(app, place.ana, dataview)).json()
        expect(shown.map(({ _id }: Json) => _id)).toEqual(naive(query))
        expect(changed.json().count).toBe(shown.length)
      }),
      { numRuns: 150 },
    )
    expect(compared).toBeGreaterThan(40)
  })
})
