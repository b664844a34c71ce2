// Every generated query answers as a naive filter over the records does, or is a 400; never anything else.
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import { newForm, put } from '../../../../test/support/data.js'
import type { TestForm } from '../../../../test/support/records.js'

const app = testApp()
let ana: Account
let form: TestForm
let records: Json[]

type Json = Record<string, unknown>

const texts = ['', 'tom', 'Tom', 'TOMÉ', 'a.c', 'abc', '%', '_', "'; --", '"', '\\', '😀', 'true', 'n/a', '[1]', '{}']
const numbers = [
  '0',
  '9',
  '10',
  '21',
  '21.0',
  '-3',
  '+4',
  '1.5',
  '.5',
  '5.',
  '1e2',
  '1E-1',
  'NaN',
  'Infinity',
  '1e9999',
  'x',
]
const days = ['2020-01-01', '2020-02-29', '2020-02-30', '2020-01-01T00:00:00.000+03:00', '2020-12', 'soon']
const moments = [
  '2020-01-01T10:00:00.000+03:00',
  '2020-01-01T07:00:00Z',
  '2020-01-01T07:00:00',
  '2020-01-01',
  '2020-02-30T00:00:00Z',
  'later',
]

const text = fc.constantFrom(...texts.filter((one) => one !== ''))
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const record = fc.record({
  name: maybe(text),
  age: maybe(fc.constantFrom(...numbers)),
  'visit/height': maybe(fc.constantFrom(...numbers)),
  'visit/day': maybe(fc.constantFrom(...days)),
  'visit/moment': maybe(fc.constantFrom(...moments)),
  unknown: maybe(text),
  kids: maybe(
    fc.array(
      fc.record({
        'kids/kname': maybe(text),
        'kids/kage': maybe(fc.constantFrom(...numbers)),
        'kids/toys': maybe(fc.array(fc.record({ 'kids/toys/toy': maybe(text) }), { minLength: 1, maxLength: 2 })),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  ),
})

beforeAll(async () => {
  const place = await newForm(app)
  ana = place.ana
  form = place.form
  const answers = fc.sample(record, { numRuns: 80, seed: 7 })
  const times = ['2024-01-01T00:00:00.000Z', '2024-01-01T00:00:00.700Z', '2024-01-01T00:00:01Z', '2024-02-01T12:00:00Z']
  const extras = answers.map((one, index) => ({
    answers: JSON.parse(JSON.stringify(one)) as object,
    at: times[index % times.length] as string,
    by: index % 3 === 0 ? ana.id : null,
    version: index % 5 === 0 ? 'v2' : 'v1',
    tags: index % 4 === 0 ? ['tom', 'abc'] : [],
    mediaTotal: index % 6 === 0 ? 1 : 0,
    ...(index % 7 === 0 && { duration: index, editedAt: '2024-03-01T00:00:00.5Z', editedBy: ana.id }),
    ...(index % 8 === 0 && { review: { status: '1', comment: 'tom', at: '2024-03-01T00:00:00Z' } }),
  }))
  await put(app, form, ...extras)
  records = (await app.as(ana)('GET', `/data/${form.id}`)).json()
})

/** The naive filter: over records as they are on the wire, with nothing of the parser or the compiler. */
const types: Record<string, 'number' | 'date' | 'moment' | 'second' | 'boolean'> = {
  age: 'number',
  'visit/height': 'number',
  'kids/kage': 'number',
  _id: 'number',
  _duration: 'number',
  _total_media: 'number',
  'visit/day': 'date',
  'visit/moment': 'moment',
  _submission_time: 'second',
  _last_edited: 'moment',
  _edited: 'boolean',
  _media_all_received: 'boolean',
}

const valuesOf = (one: Json, key: string): unknown[] => {
  const kids = (one.kids ?? []) as Json[]
  if (key.startsWith('kids/toys/'))
    return kids.flatMap((kid) => ((kid['kids/toys'] ?? []) as Json[]).map((toy) => toy[key]))
  if (key.startsWith('kids/')) return kids.map((kid) => kid[key])
  const value = one[key]
  return Array.isArray(value) && key === '_tags' ? value : [value]
}

const numberIn = (value: unknown): number =>
  /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?$/.test(String(value)) ? Number(value) : Number.NaN

const isCalendarDay = (value: string): boolean => {
  const day = value.slice(0, 10)
  return !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day)
}

const momentIn = (value: unknown): number => {
  const given = String(value)
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?)?$/.test(given) || !isCalendarDay(given))
    return Number.NaN
  return Date.parse(given.length === 10 || /(Z|[+-]\d\d:\d\d)$/.test(given) ? given : `${given}Z`)
}

const order = (a: number | string, b: number | string): number | undefined => {
  if (typeof a === 'number' && typeof b === 'number') return Number.isNaN(a) || Number.isNaN(b) ? undefined : a - b
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
}

/** Below, equal, above; undefined where there is nothing to compare. */
const compare = (key: string, value: unknown, operand: unknown): number | undefined => {
  if (value === undefined || value === null || (key === '_duration' && value === '')) return undefined
  switch (types[key]) {
    case 'number':
      return order(numberIn(value), numberIn(operand))
    case 'second':
      return order(momentIn(value), momentIn(operand))
    case 'moment':
      return order(momentIn(value), momentIn(operand))
    case 'date':
      return /^\d{4}-\d\d-\d\d($|[T ])/.test(String(value))
        ? order(String(value).slice(0, 10), String(operand).slice(0, 10))
        : undefined
    case 'boolean':
      return String(value) === String(operand).toLowerCase().replace('1', 'true').replace('0', 'false') ? 0 : 1
    default:
      return typeof operand === 'boolean'
        ? order(String(value).toLowerCase(), String(operand))
        : order(String(value), String(operand))
  }
}

const holds = (key: string, values: unknown[], operator: string, operand: unknown): boolean => {
  const any = (test: (place: number) => boolean) =>
    values.some((value) => {
      const place = compare(key, value, operand)
      return place !== undefined && test(place)
    })
  const isThere = values.some(
    (value) => value !== undefined && value !== null && !(key === '_duration' && value === ''),
  )
  const equals = (to: unknown): boolean =>
    to === null ? !isThere : values.some((value) => compare(key, value, to) === 0)
  switch (operator) {
    case '$gt':
      return any((place) => place > 0)
    case '$gte':
      return any((place) => place >= 0)
    case '$lt':
      return any((place) => place < 0)
    case '$lte':
      return any((place) => place <= 0)
    case '$i':
      return values.some(
        (value) =>
          value !== undefined && value !== null && String(value).toLowerCase().includes(String(operand).toLowerCase()),
      )
    case '$ne':
      return !equals(operand)
    case '$in':
      return (operand as unknown[]).some(equals)
    case '$nin':
      return !(operand as unknown[]).some(equals)
    case '$exists':
      return isThere === operand
    case '$has':
      return (operand as unknown[]).some((word) =>
        word === null
          ? !isThere
          : values.some((value) =>
              String(value ?? '')
                .split(' ')
                .includes(String(word)),
            ),
      )
    default:
      return equals(operand)
  }
}

const matches = (one: Json, query: Json): boolean =>
  Object.entries(query).every(([key, value]) => keyHolds(one, key, value))

const keyHolds = (one: Json, key: string, value: unknown): boolean => {
  if (key === '$or') {
    return (value as Json[]).some((element) => Object.entries(element).some(([inner, to]) => keyHolds(one, inner, to)))
  }
  if (key === '$and') return (value as Json[]).every((element) => matches(one, element))
  const values = valuesOf(one, key)
  if (typeof value !== 'object' || value === null) return holds(key, values, '$eq', value)
  return Object.entries(value).every(([operator, operand]) => holds(key, values, operator, operand))
}

const key = fc.constantFrom(
  'name',
  'age',
  'visit/height',
  'visit/day',
  'visit/moment',
  'unknown',
  'missing',
  'kids/kname',
  'kids/kage',
  'kids/toys/toy',
  '_submission_time',
  '_last_edited',
  '_edited',
  '_media_all_received',
  '_version',
  '_submitted_by',
  '_review_status',
  '_duration',
  '_total_media',
  '_tags',
)
const scalar = fc.oneof(
  fc.constantFrom<unknown>(...texts, ...numbers, ...days, ...moments, '2024-01-01', '2024-01-01T00:00:00', 'v1', '1'),
  fc.constantFrom<unknown>(0, 9, 21, 1.5, -3, 1, true, false),
)
const operator = fc.oneof(
  fc.tuple(fc.constantFrom('$gt', '$gte', '$lt', '$lte', '$ne', '$i'), scalar),
  fc.tuple(fc.constantFrom('$in', '$nin', '$has'), fc.array(fc.oneof(scalar, fc.constant(null)), { maxLength: 3 })),
  fc.tuple(fc.constant('$exists'), fc.boolean()),
)
const leaf = fc.oneof(
  scalar,
  fc.constant(null),
  fc.array(operator, { maxLength: 3 }).map((pairs) => Object.fromEntries(pairs)),
)
const { query } = fc.letrec<{ query: Json; branch: Json }>((tie) => ({
  query: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.dictionary(key, leaf, { minKeys: 1, maxKeys: 3 }) as fc.Arbitrary<Json>,
    tie('branch'),
  ),
  branch: fc
    .tuple(
      fc.constantFrom('$or', '$and'),
      fc.array(tie('query'), { minLength: 1, maxLength: 3 }),
      fc.dictionary(key, leaf, { maxKeys: 1 }),
    )
    .map(([name, inner, more]) => ({ [name]: inner, ...more })),
}))

describe('the query language', () => {
  it('answers every generated query as the naive filter does, or with 400', async () => {
    let answered = 0
    await fc.assert(
      fc.asyncProperty(query, async (asked) => {
        const response = await app.as(ana)('GET', `/data/${form.id}`, {
          query: { query: JSON.stringify(asked), fields: '["_id"]' },
        })
        expect([200, 400]).toContain(response.statusCode)
        if (response.statusCode === 400) return
        answered += 1
        const found = response.json().map(({ _id }: { _id: number }) => _id)
        expect(found).toEqual(records.filter((one) => matches(one, asked)).map((one) => one._id))
      }),
      { numRuns: 600 },
    )
    expect(answered).toBeGreaterThan(150)
  })

  it('never fails on any text as query, sort or fields', async () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.json({ maxDepth: 4 }),
      fc.stringMatching(/^[{}[\]":,$a-z0-9.\\' -]{0,40}$/),
    )
    await fc.assert(
      fc.asyncProperty(
        hostile,
        fc.constantFrom('query', 'sort', 'fields', 'tags', 'start', 'page', 'version'),
        async (given, name) => {
          const response = await app.as(ana)('GET', `/data/${form.id}?${new URLSearchParams({ [name]: given })}`)
          expect([200, 400, 404]).toContain(response.statusCode)
        },
      ),
      { numRuns: 300 },
    )
  })
})
