import { Type } from '../../../platform/schema/index.js'

export const PkParams = Type.Object({
  pk: Type.String({ maxLength: 40, description: 'Form id.', examples: ['12'] }),
})

export const RecordParams = Type.Object({
  pk: Type.String({ maxLength: 40, description: 'Form id.', examples: ['12'] }),
  dataid: Type.String({ maxLength: 260, description: 'The record’s `_id` or `_uuid`.', examples: ['4503'] }),
})
