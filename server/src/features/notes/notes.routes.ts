// Notes on records: /notes. Read by whoever may read the record.
import type { Db } from '../../platform/db/index.js'
import type { Room } from '../../platform/deps.js'
import { type Caller, errors, NoBody, notFound, pageOf, readerOf, sendLinks } from '../../platform/http/index.js'
import { sendPage } from '../../platform/long-lists/index.js'
import { Type } from '../../platform/schema/index.js'
import { findRecord, recordIdOf, sightOf } from '../sight/index.js'
import { countNotes, listNotes, type NoteFilter } from './notes.queries.js'
import { NoteBody, NoteChanges, NoteParams, NotesQuery, NoteView } from './notes.schemas.js'
import { addNote, changeNote, removeNote, visibleNote } from './notes.service.js'
import { noteView } from './notes.views.js'

/** Of a record all notes; otherwise the caller's own. */
const filterOf = async (db: Db, caller: Caller, instance: string | undefined): Promise<NoteFilter> => {
  const recordId = instance ? recordIdOf(instance) : undefined
  const scope = await sightOf(db, caller)
  if (recordId === undefined) return { scope, createdBy: caller.id }
  const record = await findRecord(db, scope, recordId)
  if (record === undefined) throw notFound()
  return { scope: { ...scope, formIds: [record.formId] }, submissionId: record.id }
}

export const noteRoutes: Room = async (app, deps) => {
  const { db } = deps

  app.get(
    '/notes',
    {
      config: { operation: 'note.list', access: 'user' },
      schema: {
        summary: 'List notes',
        description: 'The caller’s own; with `instance` all notes of that record.',
        tags: ['notes'],
        querystring: NotesQuery,
        response: { 200: Type.Array(NoteView), ...errors(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const filter = await filterOf(db, request.caller, request.query.instance)
      const reading = db.readBy(readerOf(request))
      const page = pageOf(request.query, await countNotes(reading, filter))
      sendLinks(request, reply, page)
      return sendPage(reply, {
        page,
        read: (range) => listNotes(reading, filter, range),
        shown: (notes) => notes.map(noteView),
      })
    },
  )

  app.post(
    '/notes',
    {
      config: { operation: 'note.create', access: 'user' },
      schema: {
        summary: 'Add a note to a record',
        description: 'For everybody who sees the record by a role on its form.',
        tags: ['notes'],
        body: NoteBody,
        response: { 201: NoteView, ...errors(400, 401, 403, 413, 415) },
      },
    },
    async ({ body, caller, origin }, reply) => {
      const note = await addNote(deps, caller, body)
      return reply.code(201).header('location', `${origin}/api/v1/notes/${note.id}`).send(noteView(note))
    },
  )

  app.get(
    '/notes/:id',
    {
      config: { operation: 'note.get', access: 'user' },
      schema: {
        summary: 'One note',
        tags: ['notes'],
        params: NoteParams,
        response: { 200: NoteView, ...errors(401, 404) },
      },
    },
    async ({ params, caller }) => noteView((await visibleNote(db, caller, params.id)).note),
  )

  for (const { method, body } of [
    { method: 'PUT', body: NoteBody },
    { method: 'PATCH', body: NoteChanges },
  ] as const) {
    app.route({
      method,
      url: '/notes/:id',
      config: { operation: `note.${method.toLowerCase()}`, access: 'user' },
      schema: {
        summary: 'Change a note',
        description: 'For its author. Comments of reviews are changed with the review.',
        tags: ['notes'],
        params: NoteParams,
        body,
        response: { 200: NoteView, ...errors(400, 401, 403, 404) },
      },
      handler: async ({ params, body: changes, caller }) =>
        noteView(await changeNote(deps, caller, params.id, changes)),
    })
  }

  app.delete(
    '/notes/:id',
    {
      config: { operation: 'note.delete', access: 'user' },
      schema: {
        summary: 'Delete a note',
        description: 'For its author, and for managers and owners of the form.',
        tags: ['notes'],
        params: NoteParams,
        response: { 204: NoBody, ...errors(401, 403, 404) },
      },
    },
    async ({ params, caller }, reply) => {
      await removeNote(deps, caller, params.id)
      return reply.code(204).send(null)
    },
  )
}
