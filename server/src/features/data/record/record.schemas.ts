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
