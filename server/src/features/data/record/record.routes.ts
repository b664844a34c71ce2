// One record: /data/{pk}/{dataid} and its history; changing some of its answers.
import type { FastifyReply } from 'fastify'
import { flowRowsOf } from '../../../formats/flow-results/index.js'
import { featureKeys, featureMaker } from '../../../formats/geojson/index.js'
import { rootElementOf } from '../../../formats/xml/index.js'
import type { Database } from '../../../platform/db/index.js'
import type { Room } from '../../../platform/deps.js'
import { errors, type Format, mediaTypes, notFound, readerOf } from '../../../platform/http/index.js'
import { takesRecords } from '../../forms/index.js'
import { formInactive, recordChanger } from '../../submissions/index.js'
import { featureOptions, flowResultsOf, ListParams, RecordsView, RecordView } from '../lists/index.js'
import { jsonType, sendStream, sendText, wholeOrPieces } from '../reading/index.js'
import { RecordParams, type SeenForm, shapeOfForm } from '../selection/index.js'
import { historyOf } from './history.js'
import { noAnswers, unknownRecordFormat } from './record.errors.js'
import { getRecordText, getRecordXml } from './record.queries.js'
import { ChangeBody, ChangeParams } from './record.schemas.js'
import { changeableRecord, seenRecord } from './seen-record.js'

type Shown = (
  db: Database,
  seen: SeenForm,
  id: number,
  query: Record<string, string | undefined>,
) => Promise<string | AsyncIterable<string>>

const representations: Readonly<Partial<Record<Format, { type: string; show: Shown }>>> = {
  json: {
    type: jsonType,
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
      return featureMaker(shape, options).inTurns(record)
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

const sendShown = (reply: FastifyReply, type: string, shown: string | AsyncIterable<string>) =>
  typeof shown === 'string' ? sendText(reply, type, shown) : sendStream(reply, type, shown)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const recordRoutes: Room = async (app, deps) => {
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
          'An edit: the record keeps its id, its files and every answer that is not named, gets a new `_uuid`, and its former version is in its history. Answers are sent by the keys that the record has; null takes one away; a repeat is sent as the whole list of its entries. What is calculated from other answers is not calculated again. Answers that do not differ are no edit. 409 where `based_on` names another version than the record has.',
        tags: ['data'],
        params: RecordParams,
        querystring: ChangeParams,
        body: ChangeBody,
        response: { 200: RecordView, ...errors(400, 401, 403, 404, 409) },
      },
    },
    async ({ params, query, body, caller }, reply) => {
      const { seen, record } = await changeableRecord(db, caller, params, 'change')
      if (!takesRecords(seen.form)) throw formInactive()
      if (!isObject(body)) throw noAnswers()
      const basedOn = query.based_on || undefined
      if (!(await change({ form: seen.form, caller, id: record.id, body, basedOn }))) throw notFound()
      return sendText(reply, jsonType, await getRecordText(db, seen.form, record.id)) as never
    },
  )
}
