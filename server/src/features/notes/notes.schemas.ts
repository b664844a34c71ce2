import { PageQuery } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'

const note = Type.String({ minLength: 1, maxLength: 10_000, examples: ['Road Warrior'] })

const instanceField = Type.Optional(
  Type.Union([Type.String({ maxLength: 1000 }), Type.Null()], {
    description: 'Key of the question that it is about.',
    examples: ['age'],
  }),
)

const example = { note: 'Road Warrior', instance: 9, instance_field: 'age' }

export const NoteBody = Type.Object(
  { note, instance: Type.Integer({ description: 'Id of the record.', examples: [9] }), instance_field: instanceField },
  { examples: [example] },
)

export const NoteChanges = Type.Object(
  { note: Type.Optional(note), instance: Type.Optional(Type.Integer()), instance_field: instanceField },
  { examples: [{ note: 'Road Warrior' }] },
)

export const NoteParams = Type.Object({
  id: Type.String({ maxLength: 20, description: 'Id of the note.', examples: ['1'] }),
})

export const NotesQuery = Type.Object({
  instance: Type.Optional(Type.String({ maxLength: 20, description: 'All notes of this record.', examples: ['9'] })),
  ...PageQuery,
})

export const NoteView = Type.Object(
  {
    id: Type.Integer(),
    note: Type.String(),
    instance: Type.Integer(),
    instance_field: Type.Union([Type.String(), Type.Null()]),
    created_by: Type.Integer({ description: 'Id of the user.' }),
    owner: Type.String({ description: 'Username of the same.' }),
    date_created: Type.String({ format: 'date-time' }),
    date_modified: Type.String({ format: 'date-time' }),
  },
  {
    examples: [
      {
        id: 1,
        ...example,
        created_by: 3,
        owner: 'bob',
        date_created: '2026-02-26T03:32:57.799Z',
        date_modified: '2026-02-26T03:32:57.799Z',
      },
    ],
  },
)
