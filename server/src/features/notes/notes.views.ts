import type { Static } from '../../platform/schema/index.js'
import type { Note } from './notes.queries.js'
import type { NoteView } from './notes.schemas.js'

export const noteView = (one: Note): Static<typeof NoteView> => ({
  id: one.id,
  note: one.note,
  instance: one.submissionId,
  instance_field: one.instanceField,
  created_by: one.createdBy,
  owner: one.owner,
  date_created: one.createdAt.toISOString(),
  date_modified: one.modifiedAt.toISOString(),
})
