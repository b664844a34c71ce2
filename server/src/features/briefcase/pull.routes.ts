// Taking records out as Briefcase does: a list of ids, then record by record, then the files of each.
import { budgets } from '../../budgets.js'
import type { Deps } from '../../platform/deps.js'
import { type App, absent, Bytes, errors, inMedia, NoBody, sendContent } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { changeBound } from '../data/index.js'
import { findXml } from '../forms/index.js'
import { findScope, openRosaHeaders, PlaceParams, sendXml, xmlErrors } from '../openrosa/index.js'
import { bases } from './bases.js'
import { badCursor, badKey } from './briefcase.errors.js'
import { findPulledFile, findPulledRecord, listChangedRecords, listPulledFiles } from './briefcase.queries.js'
import { idChunkXml, submissionXml } from './briefcase-xml.js'
import { cursorIn, cursorText } from './cursor.js'
import { formNamed, pulledForm, pulledFormOf } from './form-named.js'
import { submissionKeyIn } from './submission-key.js'

const Xml = (description: string, example: string) =>
  inMedia(Type.Unknown({ description, examples: [example] }), 'text/xml')

const example = { uuid: '5b2cc313-fc09-437e-8149-fcd32f695d41', at: new Date('2026-01-10T14:22:05Z') }

const ListQuery = Type.Object({
  formId: Type.Optional(Type.String({ maxLength: budgets.forms.idCharacters, description: 'Id of the form.' })),
  cursor: Type.Optional(Type.String({ maxLength: 2000, description: 'Of the answer before; blank at first.' })),
  numEntries: Type.Optional(
    Type.String({ maxLength: 20, description: 'Records at most; 100 without it.', examples: ['100'] }),
  ),
})

const KeyQuery = Type.Object({
  formId: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: 'The record.',
      examples: [`visit[@version=null and @uiVersion=null]/data[@key=uuid:${example.uuid}]`],
    }),
  ),
})

const FormQuery = Type.Object({ formId: ListQuery.properties.formId })

const FileAddress = Type.Object({
  form: Type.String({ maxLength: 20, description: 'Form id.', examples: ['12'] }),
  file: Type.String({ maxLength: 20, description: 'Id of the file.', examples: ['5'] }),
})

const IdChunk = Xml(
  'Ids, and where the next list begins. No ids: that was all.',
  idChunkXml([example.uuid], cursorText({ changeNo: 7, id: 4503 }, example.at)),
)
const Submission = Xml(
  'The record, and where its files are.',
  submissionXml({ uuid: example.uuid, xml: '<data id="visit"><name>Ana</name></data>', submittedAt: example.at }, []),
)
const FormXml = Xml('An XForm.', '<h:html xmlns:h="http://www.w3.org/1999/xhtml"/>')

const { entries: usual, mostEntries } = budgets.pulls

const entriesIn = (text: string | undefined): number => {
  const count = /^\d{1,9}$/.test(text ?? '') ? Number(text) : 0
  return count === 0 ? usual : Math.min(count, mostEntries)
}

export const pullRoutes = async (app: App, { db, files }: Deps): Promise<void> => {
  const config = { renderError: xmlErrors } as const

  for (const { path, name, access } of bases) {
    app.get(
      `${path}/view/submissionList`,
      {
        config: { ...config, access, operation: `briefcase.list.${name}` },
        schema: {
          summary: 'Ids of records, in the order of their changes',
          tags: ['openrosa'],
          params: PlaceParams,
          querystring: ListQuery,
          response: { 200: IdChunk, ...errors(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, query }, reply) => {
        reply.headers(openRosaHeaders)
        const { submission } = await findScope(db, caller, params)
        const seen = pulledForm(caller, await formNamed(db, caller, submission, query.formId))
        const after = cursorIn(query.cursor ?? '')
        if (after === undefined) throw badCursor()
        const upTo = await changeBound(db)
        const records = await listChangedRecords(db, { seen, after, upTo, limit: entriesIn(query.numEntries) })
        const last = records.at(-1)
        // The same cursor again where there was nothing: whoever keeps it goes on from there another day.
        const cursor = last === undefined ? (query.cursor ?? '') : cursorText(last, last.changedAt)
        const uuids = records.map(({ uuid }) => uuid)
        return sendXml(reply, 200, idChunkXml(uuids, cursor))
      },
    )

    app.get(
      `${path}/view/downloadSubmission`,
      {
        config: { ...config, access, operation: `briefcase.record.${name}` },
        schema: {
          summary: 'A record as Aggregate gives it',
          tags: ['openrosa'],
          params: PlaceParams,
          querystring: KeyQuery,
          response: { 200: Submission, ...errors(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, query, origin }, reply) => {
        reply.headers(openRosaHeaders)
        const { submission } = await findScope(db, caller, params)
        const key = submissionKeyIn(query.formId ?? '')
        if (key === undefined) throw badKey()
        const seen = pulledForm(caller, await formNamed(db, caller, submission, key.idString))
        const record = await findPulledRecord(db, seen, key.uuid)
        if (record === undefined) throw absent()
        const stored = await listPulledFiles(db, seen.form.id, record.id)
        const base = `${origin}/view/files/${seen.form.id}`
        const media = stored.map(({ id, name: file, md5 }) => ({ name: file, md5, address: `${base}/${id}` }))
        return sendXml(reply, 200, submissionXml(record, media))
      },
    )

    app.get(
      `${path}/formXml`,
      {
        config: { ...config, access, operation: `briefcase.form.${name}` },
        schema: {
          summary: 'The present definition of a form, by its id',
          tags: ['openrosa'],
          params: PlaceParams,
          querystring: FormQuery,
          response: { 200: FormXml, ...errors(400, 401, 404) },
        },
      },
      async ({ caller, params, query }, reply) => {
        reply.headers(openRosaHeaders)
        const { submission } = await findScope(db, caller, params)
        const form = await formNamed(db, caller, submission, query.formId)
        if (!form.access.may('view') && !form.isPublic) throw absent()
        return sendXml(reply, 200, (await findXml(db, form.id, form.versionNumber))?.xml ?? '')
      },
    )
  }

  app.get(
    '/view/files/:form/:file',
    {
      config: { ...config, access: 'anyone', operation: 'briefcase.file' },
      schema: {
        summary: 'A file of a record, for those who pull it',
        tags: ['openrosa'],
        params: FileAddress,
        response: {
          200: Bytes('The bytes.'),
          206: Bytes('The range that was asked for.'),
          304: NoBody,
          ...errors(401, 403, 404, 416),
        },
      },
    },
    async (request, reply) => {
      const { caller, params } = request
      const seen = await pulledFormOf(db, caller, params.form)
      const file = /^\d{1,15}$/.test(params.file) ? await findPulledFile(db, seen, Number(params.file)) : undefined
      if (file === undefined) throw absent()
      const { name, mimetype, sha256, bytes, fileKey } = file
      const open = async (range?: { start: number; end?: number }) =>
        (await files.get(fileKey, range && { range })).stream
      return sendContent(request, reply, { name, mimetype, tag: sha256, find: async () => ({ bytes, open }) })
    },
  )
}
