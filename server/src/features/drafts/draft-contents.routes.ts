// What a draft holds: the files that go with it, and what phones sent to it.
import { budgets } from '../../budgets.js'
import type { Room } from '../../platform/deps.js'
import {
  absent,
  Bytes,
  type Caller,
  errors,
  FilePart,
  inMedia,
  invalid,
  NoBody,
  orAlso,
  partId,
  sendContent,
} from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { definitionFor, FormParams } from '../forms/index.js'
import { acceptMedia, largestOfAll, receiving } from '../metadata/index.js'
import { takeFiles } from '../uploads/index.js'
import { listDraftMedia, putDraftFile, removeDraftFile } from './draft-media.queries.js'
import { deleteDraftRecords, findDraftFile, listDraftRecords } from './draft-records.queries.js'
import { draftChanged, draftFull, noDraft } from './drafts.errors.js'
import { findDraft, lockDraft } from './drafts.queries.js'
import { DraftMediaView, DraftRecords } from './drafts.schemas.js'
import { recordsCsv, recordView } from './drafts.views.js'

const FileParams = Type.Object({
  ...FormParams.properties,
  id: Type.String({ maxLength: 20, description: 'Id of the file.', examples: ['3'] }),
})

const MediaParts = Type.Object(
  {
    data_file: FilePart('a file that goes with the form.', largestOfAll),
    data_value: Type.Optional(
      Type.String({ maxLength: 255, description: 'Its name, where it is not that of the file.' }),
    ),
  },
  { 'x-unchecked': true, examples: [{ data_value: 'people.csv' }] },
)

const Csv = inMedia(
  Type.Unknown({ description: 'One row for each, a repeat side by side.', examples: ['name,_id\nAna,1\n'] }),
  'text/csv',
)

export const draftContentRoutes: Room = async (app, deps) => {
  const { db, files } = deps

  const draftOf = async (caller: Caller, pk: string) => {
    const { id } = await definitionFor(db, caller, pk, 'manage')
    const draft = await findDraft(db, id)
    if (draft === undefined) throw noDraft()
    return draft
  }

  app.post(
    '/forms/:pk/draft/media',
    {
      config: { operation: 'draft.media.add', access: 'user', streamsBody: true },
      schema: {
        summary: 'Add a file to a draft',
        description: 'In place of one of the same name. The form itself gets it when the draft is published.',
        tags: ['drafts'],
        consumes: ['multipart/form-data'],
        params: FormParams,
        body: MediaParts,
        response: { 201: DraftMediaView, ...errors(400, 401, 403, 404, 409, 413, 415) },
      },
      bodyLimit: largestOfAll,
    },
    async (request, reply) => {
      const draft = await draftOf(request.caller, request.params.pk)
      const added = await receiving(deps, request, async ({ fields, file }) => {
        if (file === undefined) throw invalid({ data_file: ['This field is required.'] })
        const { name, type } = await acceptMedia(fields.data_value, file)
        const { key, md5, bytes } = file.upload
        const id = await db.transaction(async (tx) => {
          if (!(await lockDraft(tx, draft.id))) throw draftChanged()
          const made = await putDraftFile(tx, draft.id, { name, key, type, md5, bytes })
          const { media } = budgets.drafts
          if ((await listDraftMedia(tx, draft.id)).length > media) throw draftFull(`${media} files that go with it`)
          await takeFiles(tx, [key])
          return made
        })
        return { id, name, change: 'added', bytes }
      })
      return reply.code(201).send(added)
    },
  )

  app.delete(
    '/forms/:pk/draft/media/:id',
    {
      config: { operation: 'draft.media.delete', access: 'user' },
      schema: {
        summary: 'Take a file out of a draft',
        description: 'The form itself loses it when the draft is published.',
        tags: ['drafts'],
        params: FileParams,
        response: { 204: NoBody, ...errors(400, 401, 403, 404) },
      },
    },
    async ({ params, caller }, reply) => {
      const draft = await draftOf(caller, params.pk)
      const id = partId(params.id)
      await db.transaction(async (tx) => {
        const isThere =
          (await lockDraft(tx, draft.id)) && (await listDraftMedia(tx, draft.id)).some((one) => one.id === id)
        if (!isThere) throw absent()
        await removeDraftFile(tx, draft.id, id)
      })
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/forms/:pk/draft/data',
    {
      config: { operation: 'draft.data', access: 'user', formats: ['json', 'csv'] },
      schema: {
        summary: 'What was sent to a draft',
        description:
          'The oldest first, each with the version that it was filled in with. It is no data of the form, and goes with the draft, at the latest after 30 days.',
        tags: ['drafts'],
        params: FormParams,
        response: { 200: orAlso(DraftRecords, Csv), ...errors(400, 401, 403, 404) },
      },
    },
    async (request, reply) => {
      const { caller, params, origin, format } = request
      const draft = await draftOf(caller, params.pk)
      const records = await listDraftRecords(db, draft.id)
      if (format !== 'csv') return records.map((record) => recordView(origin, draft.formId, record))
      return reply
        .type('text/csv; charset=utf-8')
        .serializer(String)
        .send(recordsCsv(origin, draft.formId, records) as never)
    },
  )

  app.delete(
    '/forms/:pk/draft/data',
    {
      config: { operation: 'draft.data.delete', access: 'user' },
      schema: {
        summary: 'Delete what was sent to a draft',
        description: 'To begin anew. The draft, its key and the files that go with it stay.',
        tags: ['drafts'],
        params: FormParams,
        response: { 204: NoBody, ...errors(400, 401, 403, 404, 409) },
      },
    },
    async ({ params, caller }, reply) => {
      const draft = await draftOf(caller, params.pk)
      await db.transaction(async (tx) => {
        if (!(await lockDraft(tx, draft.id))) throw draftChanged()
        await deleteDraftRecords(tx, draft.id)
      })
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/forms/:pk/draft/files/:id',
    {
      config: { operation: 'draft.file', access: 'user' },
      schema: {
        summary: 'A file that was sent to a draft',
        tags: ['drafts'],
        params: FileParams,
        response: {
          200: Bytes('The bytes.'),
          206: Bytes('The range that was asked for.'),
          304: NoBody,
          ...errors(400, 401, 403, 404),
        },
      },
    },
    async (request, reply) => {
      const draft = await draftOf(request.caller, request.params.pk)
      const file = await findDraftFile(db, draft.id, partId(request.params.id))
      if (file === undefined) throw absent()
      const { name, mimetype, sha256, bytes, fileKey } = file
      return sendContent(request, reply, {
        name,
        mimetype,
        tag: sha256,
        find: async () => ({ bytes, open: async (range) => (await files.get(fileKey, range && { range })).stream }),
      })
    },
  )
}
