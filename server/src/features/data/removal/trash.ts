// Deleted records, to bring them back: GET /data/{pk}?deleted=true.
import { cutTo } from '@sheaf/xlsform/text'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../../platform/deps.js'
import { largestPageSize, pageOf, readerOf, sendLinks } from '../../../platform/http/index.js'
import { booleanOf } from '../../../platform/words/index.js'
import { jsonType, sendText } from '../reading/index.js'
import type { ListQuery, SeenForm } from '../selection/index.js'
import { restorableFrom } from './deletion.js'
import { badDeleted, notOfDeleted } from './removal.errors.js'
import { countDeleted, type Deleted, listDeleted } from './trash.queries.js'

/** All that is shown of a deleted record, whichever fields are asked for, whether it can be brought back or not. */
export const deletedView = ({ id, uuid, deletedAt }: { id: number; uuid: string; deletedAt: Date | null }) => ({
  _id: id,
  _uuid: uuid,
  _deleted_at: deletedAt?.toISOString().replace('Z', '+00:00'),
})

export const isOfDeleted = ({ deleted }: { readonly deleted?: string }): boolean => {
  if (deleted === undefined || deleted.trim() === '') return false
  const isAsked = booleanOf(deleted)
  if (isAsked === undefined) throw badDeleted()
  return isAsked
}

const allowed = new Set(['deleted', 'page', 'page_size', 'format'])

export const sendDeleted = async (
  { db: database, clock }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  seen: SeenForm,
) => {
  const query = request.query as ListQuery
  const others = Object.keys(query).filter((name) => !allowed.has(name) && query[name])
  if (request.format !== 'json') others.push(request.format)
  if (others.length > 0) throw notOfDeleted(others.map((name) => cutTo(name, 100)))
  const db = database.reading(readerOf(request), seen.form.asOf)
  const after = restorableFrom(clock.now())
  const { page, page_size: size } = query
  const asked = { ...(page && { page }), ...(size && { page_size: size }) }
  const found = pageOf(asked, await countDeleted(db, seen, after), largestPageSize)
  const records: Deleted[] = await listDeleted(db, seen, after, found)
  sendLinks(request, reply, found)
  return sendText(reply, jsonType, JSON.stringify(records.map(deletedView)))
}
