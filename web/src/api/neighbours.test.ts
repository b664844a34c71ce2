import { describe, expect, it } from 'vitest'
import { beforeIn } from './neighbours'

describe('the place of a record in a list', () => {
  it.each([
    ['_id', { id: 7, value: 7 }, { _id: { $lt: 7 } }],
    ['-_id', { id: 7, value: 7 }, { _id: { $gt: 7 } }],
    ['age', { id: 7, value: 30 }, { $or: [{ age: { $lt: 30 } }, { $and: [{ age: 30 }, { _id: { $lt: 7 } }] }] }],
    [
      '-age',
      { id: 7, value: 30 },
      { $or: [{ age: { $gt: 30 } }, { age: { $exists: false } }, { $and: [{ age: 30 }, { _id: { $lt: 7 } }] }] },
    ],
    [
      'age',
      { id: 7, value: undefined },
      { $or: [{ age: { $exists: true } }, { $and: [{ age: { $exists: false } }, { _id: { $lt: 7 } }] }] },
    ],
    ['-age', { id: 7, value: undefined }, { $and: [{ age: { $exists: false } }, { _id: { $lt: 7 } }] }],
  ] as const)('by %s: before %j stand those of %j', (sort, stood, query) => {
    expect(beforeIn(sort, stood)).toEqual(query)
  })
})
