// From a request to the slice that answers it, with as little counting as the answer needs.
import { type Database, empty } from '../../platform/db/index.js'
import { largestPageSize, type Page, pageOf } from '../../platform/http/index.js'
import { countLive, positionOf } from './blocks.queries.js'
import { type TimeWindow, windowIn } from './conditions.queries.js'
import type { ListRequest } from './list-request.js'
import {
  countMatching,
  findIds,
  matching,
  orderOf,
  type Slice,
  sliceFromEnd,
  sliceOfIds,
  whereInWindow,
} from './slices.queries.js'

export interface FoundSlice {
  readonly slice: Slice
  /** Where there are several: the list is cut into pages. */
  readonly page: Page | undefined
}

interface Range {
  readonly offset: number
  readonly limit: number
}

/** Skipping this many costs no more than looking up where they end. */
const fewRecords = 1000

/** All records of the form, or those of a window of time, by id: what blocks can count. */
const windowOf = ({ seen, filters, condition, sort }: ListRequest): TimeWindow | undefined => {
  const isById = sort.length === 0 || (sort.length === 1 && sort[0]?.key === '_id')
  return seen.sight === 'all' && filters.length === 0 && isById ? windowIn(condition) : undefined
}

const isOpen = ({ from, to }: TimeWindow): boolean => from === undefined && to === undefined

const isDescending = ({ sort }: ListRequest): boolean => sort[0]?.isDescending === true

/** A run of all that matches. */
const runOf = (request: ListRequest, { offset, limit }: Range): Slice => ({
  joins: empty,
  where: matching(request),
  order: orderOf(request),
  offset,
  limit,
})

/** The same run, found by blocks. Counted from the end, it is a run from the start. */
const runInWindow = async (
  db: Database,
  request: ListRequest,
  window: TimeWindow,
  { offset, limit }: Range,
): Promise<Slice> => {
  const { seen } = request
  const rest = isDescending(request) ? (await totalIn(db, request, window)) - offset : undefined
  const first = rest === undefined ? offset : Math.max(0, rest - limit)
  const length = rest === undefined ? limit : Math.min(limit, Math.max(0, rest))
  const position =
    first < fewRecords ? { fromId: null, skip: first } : await positionOf(db, seen.form.id, window, first)
  if (position.skip === null) return { ...runOf(request, { offset: 0, limit: 0 }) }
  const where = whereInWindow(seen, window, position.fromId)
  const slice: Slice = {
    joins: empty,
    where,
    order: orderOf({ ...request, sort: [] }),
    offset: position.skip,
    limit: length,
  }
  return rest === undefined ? slice : sliceFromEnd(slice)
}

const totalIn = async (db: Database, { seen }: ListRequest, window: TimeWindow): Promise<number> =>
  isOpen(window) ? countLive(db, seen.form.id) : (await positionOf(db, seen.form.id, window, 0)).total

/** Pages without a size are as large as the pages that a long list is cut into by itself. */
const pageIn = ({ page, pageSize, automaticSize }: ListRequest, total: number): Page =>
  pageOf(
    { ...(page !== undefined && { page }), ...(pageSize !== undefined && { page_size: pageSize }) },
    total,
    automaticSize,
  )

export const findSlice = async (db: Database, request: ListRequest): Promise<FoundSlice> => {
  const { page, pageSize, start, limit } = request
  const isPaged = Boolean(page) || Boolean(pageSize)
  const window = windowOf(request)
  if (!isPaged && (start !== undefined || limit !== undefined)) {
    const range = { offset: start ?? 0, limit: Math.min(limit ?? largestPageSize, largestPageSize) }
    const slice = window === undefined ? runOf(request, range) : await runInWindow(db, request, window, range)
    return { slice, page: undefined }
  }
  if (window !== undefined) {
    const total = await totalIn(db, request, window)
    const found = isPaged ? pageIn(request, total) : automaticPage(request, total)
    const offset = found?.offset ?? 0
    const range = { offset, limit: Math.min(found?.size ?? total, total - offset) }
    return { slice: await runInWindow(db, request, window, range), page: found }
  }
  return findMatching(db, request, isPaged)
}

const automaticPage = ({ automaticSize: size }: ListRequest, total: number): Page | undefined =>
  total > size ? { number: 1, size, offset: 0, last: Math.ceil(total / size) } : undefined

const findMatching = async (db: Database, request: ListRequest, isPaged: boolean): Promise<FoundSlice> => {
  // The last page is known only once all are counted.
  const known = request.page === 'last' ? await countMatching(db, request) : Number.MAX_SAFE_INTEGER
  const asked = isPaged ? pageIn(request, known) : { offset: 0, size: request.automaticSize }
  const { total, ids } = await findIds(db, request, asked.offset, asked.size)
  const page = isPaged ? pageIn(request, total) : automaticPage(request, total)
  return { slice: sliceOfIds(request.seen.form.id, ids), page }
}

/** Every live record of the form: no filter, no page, nobody's own. */
export const isEverything = (request: ListRequest): boolean => {
  const window = windowOf({ ...request, sort: [] })
  return window !== undefined && isOpen(window) && !isCut(request)
}

/** A part of the list was asked for, by page or by range. */
export const isCut = ({ page, pageSize, start, limit }: ListRequest): boolean =>
  Boolean(page) || Boolean(pageSize) || start !== undefined || limit !== undefined

/** Everything that matches, without pages: for files. */
export const wholeSlice = (request: ListRequest): Slice => ({ ...runOf(request, { offset: 0, limit: 0 }), limit: null })
