// Records of a form, or of a part of it, in the representation that is asked for.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../platform/deps.js'
import { type Format, invalid, readerOf, sendLinks, sendTotal } from '../../platform/http/index.js'
import { booleanOf } from '../../platform/words/index.js'
import { type FileFormat, fileNameOf, fileOf, fileTypeOf, isFileFormat } from './files/index.js'
import { sendFlowResults, sendGeojson, sendJson, sendXml } from './lists/index.js'
import { jsonType, sendFile, sendText } from './reading/index.js'
import {
  type DataPart,
  findSlice,
  type ListQuery,
  readList,
  requireExport,
  type SeenForm,
  totalOf,
} from './selection/index.js'

const renderers = { json: sendJson, xml: sendXml, geojson: sendGeojson, 'flow-results': sendFlowResults } as const

/** Features are drawn on a map: a page of them is smaller. */
const featuresPerPage = 1000

export interface Sending {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly seen: SeenForm
  readonly part?: DataPart | undefined
}

const sendList = async (deps: Deps, { request, reply, seen, part }: Sending, format: Format) => {
  // What was sent, as it was sent: whoever sees records may look at them without taking them away.
  if (format === 'xml' && seen.sight !== 'none') requireExport(seen)
  const query = request.query as ListQuery
  const { db, clock } = deps
  const automaticSize = format === 'geojson' ? featuresPerPage : undefined
  const list = await readList(db, seen, query, { part, automaticSize })
  const { slice, page, total } = await findSlice(db, list)
  if (page !== undefined) sendLinks(request, reply, page)
  if (total !== undefined) sendTotal(reply, total)
  const render = renderers[format as keyof typeof renderers]
  return render({ db, reply, list, slice, query, now: clock.now() })
}

const sendAsFile = async (deps: Deps, { request, reply, seen, part }: Sending, format: FileFormat) => {
  requireExport(seen)
  const file = { seen, part, query: request.query as ListQuery, format, origin: request.origin }
  const names = { type: fileTypeOf(format), filename: fileNameOf(seen.form.idString, format) }
  return sendFile(reply, names, await fileOf(deps, file))
}

/** `[{"count": 3}]`, and the same as a header; a request of its own, so that the first rows do not wait for it. */
const sendCount = async ({ db }: Deps, { request, reply, seen, part }: Sending) => {
  const { count, isExact } = await totalOf(db, await readList(db, seen, request.query as ListQuery, { part }))
  sendTotal(reply, count, isExact)
  return sendText(reply, jsonType, JSON.stringify([{ count, ...(!isExact && { exact: false }) }]))
}

const isOfCount = ({ query, format }: FastifyRequest): boolean => {
  const { count = '' } = query as ListQuery
  if (count.trim() === '' || format !== 'json') return false
  const isAsked = booleanOf(count)
  if (isAsked === undefined) throw invalid({ count: ['Must be a valid boolean.'] })
  return isAsked
}

export const sendRecords = (given: Deps, sending: Sending) => {
  const deps: Deps = { ...given, db: given.db.reading(readerOf(sending.request), sending.seen.form.asOf) }
  const { format } = sending.request
  if (isOfCount(sending.request)) return sendCount(deps, sending)
  return isFileFormat(format) ? sendAsFile(deps, sending, format) : sendList(deps, sending, format)
}
