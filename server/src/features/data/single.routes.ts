// One record: /data/{pk}/{dataid} and its history; changing some of its answers, deleting it.
import type { FastifyReply } from 'fastify'
import { flowRowsOf } from '../../formats/flow-results/index.js'
import { featureKeys, featureOf } from '../../formats/geojson/index.js'
import { rootElementOf } from '../../formats/xml/index.js'
import type { Database } from '../../platform/db/index.js'
import type { Room } from '../../platform/deps.js'
import {
  absent,
  type Caller,
  errors,
  type Format,
  forbidden,
  mediaTypes,
  NoBody,
  notFound,
  readerOf,
} from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { recordChanger } from '../submissions/index.js'
import { type SeenForm, seenForm } from './data.access.js'
import { formInactive, noAnswers, unknownRecordFormat } from './data.errors.js'
import { ChangeBody, ListParams, RecordParams, RecordsView, RecordView } from './data.schemas.js'
import { deleteRecords, ownOnly, requirePermanentDelete } from './deletion.js'
import { historyOf } from './history.js'
import { shapeOfForm } from './list-request.js'
import { wholeOrPieces } from './pieces.js'
import { featureOptions, flowResultsOf } from './renderers.js'
import { type FoundRecord, findRecord, getRecordText, getRecordXml } from './single.queries.js'
import { sendStream, sendText } from './streams.js'

/** Not there, of another form, deleted, or of somebody else where one sees one's own. */
export const seenRecord = async (
  db: Database,
  caller: Caller,
  { pk, dataid }: { pk: string; dataid: string },
): Promise<{ seen: SeenForm; record: FoundRecord }> => {
  const seen = await seenForm(db, caller, pk)
  const record = await findRecord(db, seen, dataid)
  if (record === undefined) throw absent()
  return { seen, record }
}

/** Seeing a record is not yet changing it. */
export const changeableRecord = async (
  db: Database,
  caller: Caller,
  params: { pk: string; dataid: string },
  action: 'change' | 'delete_submission',
) => {
  const { seen, record } = await seenRecord(db, caller, params)
  const owner = ownOnly(seen.form, caller)
  if (!seen.form.access.may(action) || (owner !== null && owner !== record.submittedBy)) throw forbidden()
  return { seen, record }
}

type Shown = (
  db: Database,
  seen: SeenForm,
  id: number,
  query: Record<string, string | undefined>,
) => Promise<string | AsyncIterable<string>>

const representations: Readonly<Partial<Record<Format, { type: string; show: Shown }>>> = {
  json: {
    type: 'application/json; charset=utf-8',
    show: (db, { form }, id) => getRecordText(db, form, id),
  },
  xml: {
    type: 'application/xml; charset=utf-8',
    show: async (db, { form }, id) =>
      `<?xml version="1.0" encoding="utf-8"?>\n${rootElementOf(await getRecordXml(db, form, id))}`,
  },
  geojson: {
    type: mediaTypes.geojson,
    show: async (db, { form }, id, query) => {
      const shape = await shapeOfForm(db, form.id)
      const options = featureOptions(query)
      const record = JSON.parse(await getRecordText(db, form, id, featureKeys(shape, options)))
      return featureOf(record, shape, options)
    },
  },
  'flow-results': {
    type: mediaTypes['flow-results'],
    show: async (db, { form }, id) => {
      const record = JSON.parse(await getRecordText(db, form, id)) as Record<string, unknown>
      return wholeOrPieces(flowResultsOf(flowRowsOf(record, await shapeOfForm(db, form.id))))
    },
  },
}

const jsonType = 'application/json; charset=utf-8'

const sendShown = (reply: FastifyReply, type: string, shown: string | AsyncIterable<string>) =>
  typeof shown === 'string' ? sendText(reply, type, shown) : sendStream(reply, type, shown)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const PermanentQuery = Type.Object({
  permanent_delete: Type.Optional(
    Type.String({ maxLength: 20, description: 'True deletes for good, where the server allows it.' }),
  ),
})

export const singleRoutes: Room = async (app, deps) => {
  const { db } = deps
  const change = recordChanger(deps)

  app.get(
    '/data/:pk/:dataid',
    {
      config: {
        operation: 'data.get',
        access: 'anyone',
        formats: ['json', 'xml', 'geojson', 'flow-results'],
        unknownFormat: unknownRecordFormat,
      },
      schema: {
        summary: 'One record',
        description: 'By `_id` or `_uuid`. As `.xml` it is the XML as received.',
        tags: ['data'],
        params: RecordParams,
        querystring: ListParams,
        response: { 200: RecordView, ...errors(400, 401, 404, 406) },
      },
    },
    async ({ params, caller, format, query }, reply) => {
      const { seen, record } = await seenRecord(db, caller, params)
      const chosen = representations[format]
      if (chosen === undefined) throw unknownRecordFormat(format)
      return sendShown(reply, chosen.type, await chosen.show(db, seen, record.id, query)) as never
    },
  )

  app.get(
    '/data/:pk/:dataid/history',
    {
      config: { operation: 'data.history', access: 'anyone', unknownFormat: unknownRecordFormat },
      schema: {
        summary: 'Earlier versions of a record',
        description: 'Oldest first; an empty array when it was never edited.',
        tags: ['data'],
        params: RecordParams,
        response: { 200: RecordsView, ...errors(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const { seen, record } = await seenRecord(db, request.caller, request.params)
      const history = await historyOf({ db, streams: db.readBy(readerOf(request)) }, seen.form, record.id)
      return sendShown(reply, jsonType, history) as never
    },
  )

  app.patch(
    '/data/:pk/:dataid',
    {
      config: { operation: 'data.change', access: 'user' },
      schema: {
        summary: 'Change some answers of a record',
        description:
          'An edit: the record keeps its id, its files and every answer that is not named, gets a new `_uuid`, and its former version is in its history. Answers are sent by the keys that the record has; null takes one away; a repeat is sent as the whole list of its entries. What is calculated from other answers is not calculated again. Answers that do not differ are no edit.',
        tags: ['data'],
        params: RecordParams,
        body: ChangeBody,
        response: { 200: RecordView, ...errors(400, 401, 403, 404, 409) },
      },
    },
    async ({ params, body, caller }, reply) => {
      const { seen, record } = await changeableRecord(db, caller, params, 'change')
      if (!seen.form.isDownloadable) throw formInactive()
      if (!isObject(body)) throw noAnswers()
      if (!(await change({ form: seen.form, caller, id: record.id, body }))) throw notFound()
      return sendText(reply, jsonType, await getRecordText(db, seen.form, record.id)) as never
    },
  )

  app.delete(
    '/data/:pk/:dataid',
    {
      config: { operation: 'data.delete', access: 'user', queryFillsBody: true },
      schema: {
        summary: 'Delete a record',
        description: 'Hidden from then on; whoever may delete it can bring it back for 30 days.',
        tags: ['data'],
        params: RecordParams,
        querystring: PermanentQuery,
        body: Type.Object({ permanent_delete: Type.Optional(Type.Boolean({ examples: [false] })) }),
        response: { 204: NoBody, ...errors(400, 401, 403, 404) },
      },
    },
    async ({ params, body, caller }, reply) => {
      const isPermanent = body?.permanent_delete === true
      requirePermanentDelete(deps, isPermanent)
      const { seen, record } = await changeableRecord(db, caller, params, 'delete_submission')
      const deleted = await deleteRecords(deps, { form: seen.form, caller, ids: [record.id], isPermanent })
      if (deleted === 0) throw notFound()
      return reply.code(204).send(null)
    },
  )
}
