import { Type } from '../../../platform/schema/index.js'

/** Which keys there are is the form's to say: the handler checks each. */
export const ChangeBody = Type.Object(
  {},
  {
    additionalProperties: true,
    'x-unchecked': true,
    description:
      'Answers by the keys that the record has: `group/question` for one in a group. A text, a number or a list of choices; null takes the answer away. A repeat is the list of all its entries.',
    examples: [{ age: '22', 'visit/day': null, kids: [{ 'kids/kname': 'Amina', 'kids/kage': '4' }] }],
  },
)

export const ChangeParams = Type.Object({
  based_on: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'The `_uuid` of the version that the caller saw: 409 where the record has another by now.',
      examples: ['b9a1e2c8-6ff5-4d0c-9d3b-4c1a2f3e4d5c'],
    }),
  ),
})
