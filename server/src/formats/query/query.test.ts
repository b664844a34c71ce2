import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFields, parseQuery, parseSort, QueryFault, typed } from './index.js'
import { parseJson } from './json.js'

const faultOf = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    if (error instanceof QueryFault) return error.message
    throw error
  }
  return ''
}

const text = (value: string) => ({ kind: 'string', text: value })

describe('parseJson', () => {
  const plain = (json: ReturnType<typeof parseJson>): unknown => {
    switch (json.kind) {
      case 'object':
        return Object.fromEntries(json.entries.map(([key, value]) => [key, plain(value)]))
      case 'array':
        return json.items.map(plain)
      case 'string':
        return json.text
      case 'number':
        return Number(json.text)
      case 'boolean':
        return json.value
      default:
        return null
    }
  }

  it('reads every JSON text as the built-in parser does', () => {
    const isStorable = (value: unknown) => !/\\u0000|\\ud[89a-f]/i.test(JSON.stringify(value))
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5, noUnicodeString: false }), (value) => {
        fc.pre(isStorable(value))
        const parsed = JSON.parse(JSON.stringify(value)) as unknown
        expect(plain(parseJson(JSON.stringify(value)))).toEqual(parsed)
        expect(plain(parseJson(JSON.stringify(value, undefined, 2)))).toEqual(parsed)
      }),
    )
  })

  it('refuses what the built-in parser refuses, with the place', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[{}[\]",:0-9a-e.\\ -]{0,12}$/), (given) => {
        let isJson = true
        try {
          JSON.parse(given)
        } catch {
          isJson = false
        }
        expect(faultOf(() => parseJson(given)) === '').toBe(isJson)
      }),
      { numRuns: 1000 },
    )
    expect(faultOf(() => parseJson('{bad'))).toBe(
      'Expecting property name enclosed in double quotes: line 1 column 2 (char 1)',
    )
  })

  it('keeps both values of a key that stands twice, and every digit of a number', () => {
    expect(parseJson('{"a":1,"a":12345678901234567890}')).toEqual({
      kind: 'object',
      entries: [
        ['a', { kind: 'number', text: '1' }],
        ['a', { kind: 'number', text: '12345678901234567890' }],
      ],
    })
  })

  it('refuses ten thousand levels, a million values and a zero character', () => {
    expect(faultOf(() => parseJson('[{"$or":'.repeat(10_000)))).toMatch(/nested deeper/)
    expect(faultOf(() => parseJson(`[${'1,'.repeat(1_000_000)}1]`))).toMatch(/more than 10000 values/)
    expect(faultOf(() => parseJson('"\\u0000"'))).toMatch(/no text can hold/)
    expect(faultOf(() => parseJson('"\\ud800"'))).toMatch(/no text can hold/)
  })
})

describe('parseQuery', () => {
  const compare = (key: string, comparison: string, value: string) => ({
    kind: 'compare',
    key,
    comparison,
    operand: text(value),
  })

  it('all keys of an object must hold; several operators of one key too', () => {
    expect(parseQuery('{"a":"1","b":{"$gt":"2","$lte":"3"}}')).toEqual({
      kind: 'and',
      conditions: [
        compare('a', '=', '1'),
        { kind: 'and', conditions: [compare('b', '>', '2'), compare('b', '<=', '3')] },
      ],
    })
  })

  it('every key of every element of $or is an alternative, also a key that stands twice', () => {
    const alternatives = { kind: 'or', conditions: [compare('age', '=', '21'), compare('name', '=', 'hosee')] }
    expect(parseQuery('{"$or":[{"age":"21","name":"hosee"}]}')).toEqual(alternatives)
    expect(parseQuery('{"$or":[{"age":"21"},{"name":"hosee"}]}')).toEqual(alternatives)
    expect(parseQuery('{"$or":[{"a":"1","a":"2"}]}')).toEqual({
      kind: 'or',
      conditions: [compare('a', '=', '1'), compare('a', '=', '2')],
    })
  })

  it('null is a missing answer; $ne, $in, $nin, $has, $exists and $and are extensions', () => {
    const exists = { kind: 'exists', key: 'a' }
    expect(parseQuery('{"a":null}')).toEqual({ kind: 'not', condition: exists })
    expect(parseQuery('{"a":{"$exists":true}}')).toEqual(exists)
    expect(parseQuery('{"a":{"$ne":"x"}}')).toEqual({ kind: 'not', condition: compare('a', '=', 'x') })
    expect(parseQuery('{"a":{"$in":["x",null]}}')).toEqual({
      kind: 'or',
      conditions: [compare('a', '=', 'x'), { kind: 'not', condition: exists }],
    })
    expect(parseQuery('{"a":{"$nin":["x"]}}')).toEqual({ kind: 'not', condition: compare('a', '=', 'x') })
    expect(parseQuery('{"a":{"$has":["x","y",null]}}')).toEqual({
      kind: 'or',
      conditions: [
        { kind: 'has', key: 'a', words: ['x', 'y'] },
        { kind: 'not', condition: exists },
      ],
    })
    expect(parseQuery('{"$and":[{"a":"1"},{"b":"2"}]}')).toEqual({
      kind: 'and',
      conditions: [compare('a', '=', '1'), compare('b', '=', '2')],
    })
  })

  it('anything that does not begin with { or [ is free text; blank text asks nothing', () => {
    expect(parseQuery('tom')).toEqual({ kind: 'search', text: 'tom' })
    expect(parseQuery('"tom"')).toEqual({ kind: 'search', text: 'tom' })
    expect(parseQuery('5')).toEqual({ kind: 'search', text: '5' })
    expect(parseQuery(' ')).toEqual({ kind: 'and', conditions: [] })
    expect(parseQuery('{}')).toEqual({ kind: 'and', conditions: [] })
    expect(parseQuery('[{"a":"1"}]')).toEqual(compare('a', '=', '1'))
  })

  it.each([
    ['{"x":{"$foo":1}}', 'Unsupported operator $foo'],
    ['{"x":{"$regex":"a"}}', 'Unsupported operator $regex'],
    ['{"$nor":[]}', 'Unsupported operator $nor'],
    ['{"x":["a"]}', 'A list is no value for x: use $in.'],
    ['{"x":{"$gt":null}}', 'The value for x must be a text, a number, true or false.'],
    ['{"$or":{}}', '$or takes a list.'],
    ['{"$or":[]}', '$or takes a list with at least one condition.'],
    ['{"$or":[1]}', '$or takes a list of objects, each with at least one condition.'],
    ['{"x":{"$in":"a"}}', '$in takes a list.'],
    ['{"x":{"$i":{}}}', '$i takes a text.'],
    ['{"x":{"$exists":1}}', '$exists takes true or false.'],
    ['[{"a":1},{"b":1}]', 'The query must be one JSON object.'],
    [`{"x":{"$in":[${Array.from({ length: 600 }, () => '1').join(',')}]}}`, 'The query has more than 500 conditions.'],
  ])('refuses %s', (query, message) => expect(faultOf(() => parseQuery(query))).toBe(message))
})

describe('typed', () => {
  const answers = (key: string) =>
    ({
      age: { places: [{ key, repeats: [] }], kind: 'integer' as const },
      born: { places: [{ key, repeats: [] }], kind: 'date' as const },
    })[key]
  const faults = (query: string) => faultOf(() => typed(parseQuery(query), answers))

  it.each([
    ['{"age":"x"}', 'Invalid value "x" for the field age.'],
    ['{"age":{"$gt":true}}', 'Invalid value "true" for the field age.'],
    ['{"age":"1e99999"}', 'Invalid value "1e99999" for the field age.'],
    ['{"_id":"abc"}', 'Invalid value "abc" for the field _id.'],
    ['{"_id":"99999999999999999999"}', 'Invalid value "99999999999999999999" for the field _id.'],
    ['{"_edited":"perhaps"}', 'Invalid value "perhaps" for the field _edited.'],
    ['{"_edited":{"$gt":true}}', 'Invalid value "true" for the field _edited.'],
    ['{"name":{"$gt":true}}', 'Invalid value "true" for the field name.'],
    ['{"_submission_time":{"$gt":"watermelon"}}', 'Invalid date value "watermelon" for the field _submission_time.'],
    [
      '{"_submission_time":"2020-01-01T00:00:00 00:00"}',
      'Invalid date value "2020-01-01T00:00:00 00:00" for the field _submission_time.',
    ],
    ['{"_id":{"$i":"1"}}', '$i looks for a part of a text, and _id is none.'],
    ['{"born":{"$lt":"soon"}}', 'Invalid date value "soon" for the field born.'],
  ])('refuses %s', (query, message) => expect(faults(query)).toBe(message))

  it('takes any value for a key that the form does not know', () => {
    expect(faults('{"unknown":{"$gt":"x"},"other":true,"third":null}')).toBe('')
  })
})

describe('sort and fields', () => {
  it('sorts by several keys in the order written, by a name, or by a name with a minus', () => {
    expect(parseSort('{"b":-1,"a":"1"}')).toEqual([
      { key: 'b', isDescending: true },
      { key: 'a', isDescending: false },
    ])
    expect(parseSort('-_id')).toEqual([{ key: '_id', isDescending: true }])
    expect(parseSort('age')).toEqual([{ key: 'age', isDescending: false }])
    expect(parseSort('')).toEqual([])
  })

  it.each(['{:}', '{"a":2}', '{"a":null}', '{"a":1', '["a"]', '"a"'])('refuses the sort %s', (sort) => {
    expect(faultOf(() => parseSort(sort))).not.toBe('')
  })

  it('fields are a JSON list or names with commas; none is no restriction', () => {
    expect(parseFields('["_id","a/b"]')).toEqual(['_id', 'a/b'])
    expect(parseFields('_id, a/b,_id')).toEqual(['_id', 'a/b'])
    expect(parseFields('[]')).toBeUndefined()
    expect(faultOf(() => parseFields('["a"'))).not.toBe('')
    expect(faultOf(() => parseFields('[1]'))).toBe('The fields must be a JSON list of names.')
  })
})
