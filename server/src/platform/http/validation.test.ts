import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Type } from '../schema/index.js'
import type { AppError } from './errors.js'
import { readBody } from './validation.js'

const Body = Type.Object({
  name: Type.Optional(Type.String({ minLength: 2, maxLength: 5 })),
  secret: Type.Optional(Type.String({ 'x-verbatim': true })),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
  isOpen: Type.Optional(Type.Boolean()),
  data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  site: Type.Optional(Type.String({ format: 'uri' })),
  size: Type.Optional(Type.Number()),
  tags: Type.Optional(Type.Array(Type.String(), { maxItems: 2 })),
})
const read = readBody(Body)

const faultsOf = (body: unknown) => {
  try {
    read(body)
  } catch (error) {
    return (error as AppError).fields
  }
  return undefined
}

describe('a body', () => {
  it.each<[unknown, unknown]>([
    [{ name: ' abc ' }, { name: 'abc' }],
    [{ name: 12 }, { name: '12' }],
    [{ secret: ' a ' }, { secret: ' a ' }],
    [{ count: ' 7 ' }, { count: 7 }],
    [{ count: '+7' }, { count: 7 }],
    ...['y', 'YES', 't', 'True', 'on', '1', 1].map((isOpen): [unknown, unknown] => [{ isOpen }, { isOpen: true }]),
    ...['n', 'NO', 'f', 'False', 'off', '0', 0].map((isOpen): [unknown, unknown] => [{ isOpen }, { isOpen: false }]),
    [{ data: '{"a": [1]}' }, { data: { a: [1] } }],
    [{ data: ' ' }, { data: {} }],
    [{ unknown: '\0' }, { unknown: '\0' }],
    [[], {}],
    ['text', {}],
  ])('%j is read as %j', (body, value) => expect(read(body)).toEqual(value))

  it.each([
    [{ name: '' }, { name: ['This field may not be blank.'] }],
    [{ name: 'a' }, { name: ['Ensure this field has at least 2 characters.'] }],
    [{ name: 'abcdef' }, { name: ['Ensure this field has no more than 5 characters.'] }],
    [{ name: {} }, { name: ['Not a valid string.'] }],
    [{ name: ['ab', 'cd'] }, { name: ['Not a valid string.'] }],
    [{ isOpen: [] }, { isOpen: ['Must be a valid boolean.'] }],
    [{ data: [{}] }, { data: ['Expected an object.'] }],
    [{ name: null }, { name: ['This field may not be null.'] }],
    [{ count: 'x' }, { count: ['A valid integer is required.'] }],
    [{ count: 1.5 }, { count: ['A valid integer is required.'] }],
    [{ count: 0 }, { count: ['Ensure this value is greater than or equal to 1.'] }],
    [{ count: 10 }, { count: ['Ensure this value is less than or equal to 9.'] }],
    [{ isOpen: 'perhaps' }, { isOpen: ['Must be a valid boolean.'] }],
    [{ data: 'x' }, { data: [expect.stringContaining('JSON')] }],
    [{ data: '[]' }, { data: ['Expected an object.'] }],
    [{ site: 'x' }, { site: ['Enter a valid URL.'] }],
    [{ size: 'x' }, { size: ['A valid number is required.'] }],
    [{ tags: 'x' }, { tags: ['Expected a list of items.'] }],
    [{ name: 'a\0b' }, { name: ['Null characters are not allowed.'] }],
    [
      { name: '', count: 0 },
      { name: ['This field may not be blank.'], count: ['Ensure this value is greater than or equal to 1.'] },
    ],
  ])('%j is refused with %j', (body, faults) => expect(faultsOf(body)).toEqual(faults))

  it('has a check of its own for every field, also where two fields demand the same otherwise', () => {
    const named = (word: string) =>
      Type.String({ 'x-check': (text: string) => (text === word ? undefined : `Say ${word}.`) })
    const readWords = readBody(Type.Object({ a: named('yes'), b: named('no'), c: Type.String() }))
    expect(readWords({ a: 'yes', b: 'no', c: 'x' })).toEqual({ a: 'yes', b: 'no', c: 'x' })
    expect(() => readWords({ a: 'no', b: 'yes' })).toThrow(
      expect.objectContaining({ fields: { a: ['Say yes.'], b: ['Say no.'], c: ['This field is required.'] } }),
    )
  })

  it('may have fields that are called like the words of a schema', () => {
    const within = (description: object) => Type.Object({ x: Type.Object({ description } as never) })
    expect(() => readBody(within(Type.Integer()))({ x: { description: 'abc' } })).toThrow()
    expect(readBody(within(Type.String()))({ x: { description: 'abc' } })).toEqual({ x: { description: 'abc' } })
  })

  it('of any shape is either read or refused with fields, never anything else', () => {
    fc.assert(
      fc.property(
        fc.record(
          Object.fromEntries(
            ['name', 'secret', 'count', 'isOpen', 'data', 'site', 'size', 'tags'].map((key) => [key, fc.jsonValue()]),
          ),
          { requiredKeys: [] },
        ),
        (body) => {
          const faults = faultsOf(structuredClone(body))
          if (faults !== undefined) expect(Object.values(faults).flat().length).toBeGreaterThan(0)
        },
      ),
    )
  })

  it('with a megabyte of blanks or 100,000 levels is answered at once', () => {
    expect(faultsOf({ name: `${' '.repeat(1_000_000)}x${' '.repeat(1_000_000)}` })).toEqual({
      name: ['Ensure this field has at least 2 characters.'],
    })
    const deep = JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)
    expect(faultsOf({ data: deep })).toEqual({ data: ['Ensure this field is nested no deeper than 64 levels.'] })
  })
})
