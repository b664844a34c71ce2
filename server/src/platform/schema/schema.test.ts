import Box from 'typebox'
import { describe, expect, it } from 'vitest'
import { Type } from './index.js'

/** Both builders on the same description. */
const build = (Kind: typeof Type) =>
  Kind.Object(
    {
      id: Kind.Integer({ minimum: 1 }),
      name: Kind.Optional(Kind.String({ maxLength: 5 })),
      isOpen: Kind.Boolean(),
      size: Kind.Number(),
      none: Kind.Null(),
      any: Kind.Unknown(),
      list: Kind.Array(Kind.Object({ a: Kind.Optional(Kind.Integer()) }), { maxItems: 3 }),
      either: Kind.Union([Kind.String(), Kind.Integer()]),
    },
    { description: 'All kinds.' },
  )

describe('Type', () => {
  it('builds the same schemas as TypeBox', () => {
    expect(build(Type)).toEqual(JSON.parse(JSON.stringify(build(Box))))
  })

  it('something or null is one schema of two types, unless it is one of a few values', () => {
    expect(Type.Union([Type.String({ maxLength: 5 }), Type.Null()], { description: 'A.' })).toEqual({
      type: ['string', 'null'],
      maxLength: 5,
      description: 'A.',
    })
    const anyOf = [Type.String({ enum: ['a'] }), Type.Null()]
    expect(Type.Union(anyOf)).toEqual({ anyOf })
  })

  it('a property stays required where its schema is optional elsewhere', () => {
    const Name = Type.String()
    expect(Type.Object({ a: Type.Optional(Name), b: Name })).toMatchObject({ required: ['b'] })
  })

  it('a record takes any key', () => {
    expect(Type.Record(Type.String(), Type.Integer())).toEqual({
      type: 'object',
      additionalProperties: { type: 'integer' },
    })
  })
})
