import { PageQuery } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'

const tagsParameter = (description: string) => Type.Optional(Type.String({ maxLength: 1000, description }))

export const EntriesQuery = Type.Object({
  owner: Type.Optional(Type.String({ maxLength: 300, description: 'Forms of this account only.', examples: ['ana'] })),
  tags: tagsParameter('Forms with any of these tags.'),
  not_tagged: tagsParameter('Forms with none of these tags.'),
  ...PageQuery,
})

export const EntryView = Type.Object(
  {
    id: Type.Integer(),
    id_string: Type.String(),
    title: Type.String(),
    description: Type.String(),
    url: Type.String(),
  },
  {
    description: 'A form with data.',
    examples: [{ id: 12, id_string: 't', title: 'T', description: '', url: 'https://example.org/api/v1/data/12' }],
  },
)
