// The changes feed: GET /data/{pk}?changed_since=CURSOR.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../../platform/db/index.js'
import { largestPageSize } from '../../../platform/http/index.js'
import { copyLines, jsonListOf, jsonType, linesOf, numberedText, sendStream } from '../reading/index.js'
import { deletedView } from '../removal/index.js'
import { badRange, changeBound, fieldsOf, type ListQuery, type SeenForm, sliceOfIds } from '../selection/index.js'
import { badCursor, notWithCursor } from './changes.errors.js'
import { type Change, listChanges } from './changes.queries.js'

interface Cursor {
  readonly changeNo: number
  /** Within one change, which may be of many records, the last one that the reader has. */
  readonly id: number
}

/** `1234`, or `1234-567` in the middle of a change. */
const readCursor = (text: string): Cursor => {
  const match = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(text.trim())
  if (match === null) throw badCursor()
  // A number alone stands behind all records of its change.
  return { changeNo: Number(match[1]), id: match[2] === undefined ? Number.MAX_SAFE_INTEGER : Number(match[2]) }
}

/** Parameters of lists that choose records otherwise than by their changes. */
const notCombined = [
  'query',
  'data',
  'sort',
  'page',
  'start',
  'tags',
  'not_tagged',
  'count',
  'search',
  'bbox',
  'polygon',
]

const limitOf = ({ limit, page_size: size }: ListQuery): number => {
  const digits = (limit || size)?.trim() ?? ''
  if (/^-\d+$/.test(digits)) throw badRange()
  const count = /^\d{1,15}$/.test(digits) ? Number(digits) : 0
  return count === 0 ? largestPageSize : Math.min(count, largestPageSize)
}

const isDeleted = ({ deletedAt }: Change): boolean => deletedAt !== null

/** Records in the order of their changes. One that is deleted in the meantime is passed over: that is a later change. */
async function* recordsOf(
  db: Database,
  { form }: SeenForm,
  changes: readonly Change[],
  fields: readonly string[] | undefined,
): AsyncGenerator<string> {
  const ids = changes.filter((change) => !isDeleted(change)).map(({ id }) => id)
  const places = new Map(changes.map(({ id }, place) => [id, place]))
  let sentUpTo = 0
  const deletedBefore = (place: number): string[] => {
    const deleted = changes.slice(sentUpTo, place).filter(isDeleted)
    sentUpTo = place
    return deleted.map((change) => JSON.stringify(deletedView(change)))
  }
  const lines = linesOf(await copyLines(db, sliceOfIds(form.id, ids), numberedText(form, fields)))
  for await (const line of lines) {
    const end = line.indexOf(' ')
    yield* deletedBefore(places.get(Number(line.slice(0, end))) ?? sentUpTo)
    yield line.slice(end + 1)
  }
  yield* deletedBefore(changes.length)
}

/** Never back: what a cursor from elsewhere has passed stays passed. */
const upTo = ({ changeNo, id }: Cursor, bound: number): string => {
  if (bound >= changeNo) return String(bound)
  return id === Number.MAX_SAFE_INTEGER ? String(changeNo) : `${changeNo}-${id}`
}

const nextLink = (request: FastifyRequest, cursor: string): string => {
  const url = new URL(request.origin + request.originalUrl)
  url.searchParams.set('changed_since', cursor)
  url.searchParams.sort()
  return `<${url.toString()}>; rel="next"`
}

export const sendChanges = async (db: Database, request: FastifyRequest, reply: FastifyReply, seen: SeenForm) => {
  const query = request.query as ListQuery
  const extra = notCombined.filter((name) => query[name])
  if (extra.length > 0) throw notWithCursor(extra)
  const after = readCursor(query.changed_since ?? '')
  const limit = limitOf(query)
  const bound = await changeBound(db)
  const changes =
    seen.sight === 'none'
      ? []
      : await listChanges(db, {
          formId: seen.form.id,
          submittedBy: seen.sight === 'own' ? seen.callerId : null,
          after,
          upTo: bound,
          limit,
        })
  const last = changes.at(-1)
  const cursor = changes.length === limit && last !== undefined ? `${last.changeNo}-${last.id}` : upTo(after, bound)
  reply.header('link', nextLink(request, cursor))
  return sendStream(reply, jsonType, jsonListOf(recordsOf(db, seen, changes, fieldsOf(query))))
}
