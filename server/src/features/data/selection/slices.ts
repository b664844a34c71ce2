// From a request to the slice that answers it, with as little counting as the answer needs.
import { type Database, empty } from '../../../platform/db/index.js'
import { largestPageSize, type Page, pageOf } from '../../../platform/http/index.js'
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
  /** Undefined where one answer has the whole list. */
  readonly page: Page | undefined
}

interface Range {
  readonly offset: number
  readonly limit: number
}

/** Skipping this many costs no more than looking up where they end. */
const fewRecords = 1000

/** The window of a list that blocks can count: all records of the form, or those of a window of time, by id. */
const windowOf = ({ seen, filters, condition, sort }: ListRequest): TimeWindow | undefined => {
  const isById = sort.length === 0 || (sort.length === 1 && sort[0]?.key === '_id')
  return seen.sight === 'all' && filters.length === 0 && isById ? windowIn(condition) : undefined
}

const isOpen = ({ from, to }: TimeWindow): boolean => from === undefined && to === undefined

const isDescending = ({ sort }: ListRequest): boolean => sort[0]?.isDescending === true

/** A run of the list of all that matches. */
const runOf = (request: ListRequest, { offset, limit }: Range): Slice => ({
  joins: empty,
  where: matching(request),
  order: orderOf(request),
  offset,
  limit,
})

interface Run {
  readonly slice: Slice
  /** How many records the whole list has. */
  readonly total: number
}

/** The same run by id, found by blocks where there is much to skip. */
const runFromStart = async (
  db: Database,
  request: ListRequest,
  window: TimeWindow,
  { offset, limit }: Range,
): Promise<Run> => {
  const { seen } = request
  const isNear = isOpen(window) && offset < fewRecords
  const { total, fromId, skip } = isNear
    ? { total: await countLive(db, seen.form.id), fromId: null, skip: offset }
    : await positionOf(db, seen.form.id, window, offset)
  const slice: Slice = {
    joins: empty,
    where: whereInWindow(seen, window, fromId),
    order: orderOf({ ...request, sort: [] }),
    offset: skip ?? 0,
    limit: skip === null ? 0 : Math.max(0, Math.min(limit, total - offset)),
  }
  return { slice, total }
}

/** A list by descending id: what is counted from its end is a run from the start. */
const runFromEnd = async (db: Database, request: ListRequest, window: TimeWindow, range: Range): Promise<Run> => {
  const total = await totalIn(db, request, window)
  const remaining = Math.max(0, total - range.offset)
  const limit = Math.min(range.limit, remaining)
  const { slice } = await runFromStart(db, request, window, { offset: remaining - limit, limit })
  return { slice: sliceFromEnd(slice), total }
}

const runInWindow = (db: Database, request: ListRequest, window: TimeWindow, range: Range): Promise<Run> =>
  (isDescending(request) ? runFromEnd : runFromStart)(db, request, window, range)

const totalIn = async (db: Database, { seen }: ListRequest, window: TimeWindow): Promise<number> =>
  isOpen(window) ? countLive(db, seen.form.id) : (await positionOf(db, seen.form.id, window, 0)).total

/** Pages without a size are as large as the pages that a long list is cut into by itself. */
const pageIn = ({ page, pageSize, automaticSize }: ListRequest, total: number): Page =>
  pageOf(
    { ...(page !== undefined && { page }), ...(pageSize !== undefined && { page_size: pageSize }) },
    total,
    automaticSize,
  )

/** Before anything is counted, any page may be there; only the last one has to wait for the count. */
const askedRange = async (request: ListRequest, count: () => Promise<number>): Promise<Range> => {
  if (!isPaged(request)) return { offset: 0, limit: request.automaticSize }
  const { offset, size } = pageIn(request, request.page === 'last' ? await count() : Number.MAX_SAFE_INTEGER)
  return { offset, limit: size }
}

const isPaged = ({ page, pageSize }: ListRequest): boolean => Boolean(page) || Boolean(pageSize)

/** The page that is asked for, 404 when there is none; or the first page of a list that is too long for one answer. */
const pageFound = (request: ListRequest, total: number): Page | undefined => {
  if (isPaged(request)) return pageIn(request, total)
  const { automaticSize: size } = request
  return total > size ? { number: 1, size, offset: 0, last: Math.ceil(total / size) } : undefined
}

export const findSlice = async (db: Database, request: ListRequest): Promise<FoundSlice> => {
  const { start, limit } = request
  const window = windowOf(request)
  if (!isPaged(request) && (start !== undefined || limit !== undefined)) {
    const range = { offset: start ?? 0, limit: Math.min(limit ?? largestPageSize, largestPageSize) }
    const slice = window === undefined ? runOf(request, range) : (await runInWindow(db, request, window, range)).slice
    return { slice, page: undefined }
  }
  if (window !== undefined) {
    const range = await askedRange(request, () => totalIn(db, request, window))
    const { slice, total } = await runInWindow(db, request, window, range)
    return { slice, page: pageFound(request, total) }
  }
  const { offset, limit: size } = await askedRange(request, () => countMatching(db, request))
  const { total, ids } = await findIds(db, request, offset, size)
  return { slice: sliceOfIds(request.seen.form.id, ids), page: pageFound(request, total) }
}

/** Whether every live record of the form is asked for: no filter, no page, not one's own alone. */
export const isEverything = (request: ListRequest): boolean => {
  const window = windowOf({ ...request, sort: [] })
  return window !== undefined && isOpen(window) && !isCut(request)
}

/** Whether a part of the list is asked for, by page or by range. */
export const isCut = (request: ListRequest): boolean =>
  isPaged(request) || request.start !== undefined || request.limit !== undefined

/** Everything that matches, without pages: for files. */
export const wholeSlice = (request: ListRequest): Slice => ({ ...runOf(request, { offset: 0, limit: 0 }), limit: null })
