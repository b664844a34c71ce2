// From a request to the slice that answers it, with as little counting as the answer needs.
import { budgets } from '../../../budgets.js'
import { type Database, empty } from '../../../platform/db/index.js'
import { largestPageSize, type Page, pageOf } from '../../../platform/http/index.js'
import { noteAsked } from '../answers/index.js'
import { countLive, positionOf } from './blocks.queries.js'
import { type TimeWindow, windowIn } from './conditions.queries.js'
import type { ListRequest } from './list-request.js'
import { allMatches, knownMatches, type Matches, type Total, totalWithin } from './matches.js'
import {
  countMatching,
  findIds,
  matching,
  oppositeOf,
  orderOf,
  type Slice,
  sliceFromEnd,
  sliceOfIds,
  whereFrom,
  whereInWindow,
  withinRanges,
} from './slices.queries.js'

export interface FoundSlice {
  readonly slice: Slice
  /** Undefined where one answer has the whole list. */
  readonly page: Page | undefined
  /** How many records the whole list has; undefined where that would have to be counted for this alone. */
  readonly total: number | undefined
}

interface Range {
  readonly offset: number
  readonly limit: number
}

/** Skipping this many costs no more than looking up where they end. */
const fewRecords = 1000

const isById = ({ sort }: ListRequest): boolean => sort.length === 0 || (sort.length === 1 && sort[0]?.key === '_id')

/** The window of a list that blocks can count: all records of the form, or those of a window of time. */
const countedWindow = ({ seen, filters, condition }: ListRequest): TimeWindow | undefined =>
  seen.sight === 'all' && filters.length === 0 ? windowIn(condition) : undefined

/** The same of a list by id, in which blocks find a place too. */
const windowOf = (request: ListRequest): TimeWindow | undefined =>
  isById(request) ? countedWindow(request) : undefined

const isOpen = ({ from, to }: TimeWindow): boolean => from === undefined && to === undefined

const isDescending = ({ sort }: ListRequest): boolean => sort[0]?.isDescending === true

/** A run of the list of all that matches. */
const runOf = (request: ListRequest, { offset, limit }: Range): Slice => ({
  formId: request.seen.form.id,
  joins: empty,
  where: matching(request),
  order: orderOf(request),
  offset,
  limit,
  isSearch: true,
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
    formId: request.seen.form.id,
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
  return { slice: sliceFromEnd(slice, orderOf(request)), total }
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
  return total > size ? { number: 1, size, offset: 0, last: Math.ceil(total / size), total } : undefined
}

/** Small forms are looked through; of others it is kept how many match. */
const isLarge = async (db: Database, { seen }: ListRequest): Promise<boolean> =>
  (await countLive(db, seen.form.id)) > budgets.counts.records

/** A run of what matches, by id and counted from the start. */
const runOfMatches = (request: ListRequest, matches: Matches, { offset, limit }: Range): Slice => {
  const span = matches.spanOf(offset, limit)
  return {
    formId: request.seen.form.id,
    joins: span?.ranges === undefined ? empty : withinRanges(span.ranges),
    where: whereFrom(request, span?.fromId ?? 0),
    order: orderOf({ ...request, sort: [] }),
    offset: span?.skip ?? 0,
    limit: span === undefined ? 0 : Math.max(0, Math.min(limit, matches.total - offset)),
    isSearch: true,
  }
}

/** A run of a sorted list: what lies behind its middle is counted from the end, of which less has to be passed over. */
const runInOrder = (request: ListRequest, total: number, { offset, limit }: Range): Slice => {
  const size = Math.min(limit, total - offset)
  const behind = total - offset - size
  if (size <= 0 || offset <= behind) return runOf(request, { offset, limit })
  const fromEnd = { ...runOf(request, { offset: behind, limit: size }), order: oppositeOf(request) }
  return sliceFromEnd(fromEnd, orderOf(request))
}

const sliceOfMatches = (request: ListRequest, matches: Matches, { offset, limit }: Range): Slice => {
  if (!isById(request)) return runInOrder(request, matches.total, { offset, limit })
  if (!isDescending(request)) return runOfMatches(request, matches, { offset, limit })
  const remaining = Math.max(0, matches.total - offset)
  const size = Math.min(limit, remaining)
  const run = runOfMatches(request, matches, { offset: remaining - size, limit: size })
  return sliceFromEnd(run, orderOf(request))
}

/** A range of the list. What is not known is not counted for it: the first rows do not wait for a number. */
const findRange = async (db: Database, request: ListRequest, range: Range): Promise<FoundSlice> => {
  const window = windowOf(request)
  if (window !== undefined) return { ...(await runInWindow(db, request, window, range)), page: undefined }
  const matches = await knownMatches(db, request)
  return matches === undefined
    ? { slice: runOf(request, range), page: undefined, total: undefined }
    : { slice: sliceOfMatches(request, matches, range), page: undefined, total: matches.total }
}

/** A page of what has to be looked for, in a large form: where it lies is kept for the pages after it. */
const findPageByMatches = async (db: Database, request: ListRequest): Promise<FoundSlice> => {
  const window = countedWindow(request)
  const total = window === undefined ? undefined : await totalIn(db, request, window)
  const matches = total === undefined ? await allMatches(db, request) : { total, spanOf: () => undefined }
  const range = await askedRange(request, async () => matches.total)
  return {
    slice: sliceOfMatches(request, matches, range),
    page: pageFound(request, matches.total),
    total: matches.total,
  }
}

/** The same by ids: one look at every record, by as many cores as there are. */
const findPageByIds = async (db: Database, request: ListRequest): Promise<FoundSlice> => {
  const { offset, limit } = await askedRange(request, () => countMatching(db, request))
  const { total, ids } = await findIds(db, request, offset, limit)
  return { slice: sliceOfIds(request.seen.form.id, ids), page: pageFound(request, total), total }
}

/** A list without pages is shown as a whole where it can be, so every match is needed and no page comes after it. */
const findPage = async (db: Database, request: ListRequest): Promise<FoundSlice> =>
  isPaged(request) && (await isLarge(db, request)) ? findPageByMatches(db, request) : findPageByIds(db, request)

export const findSlice = async (db: Database, request: ListRequest): Promise<FoundSlice> => {
  const { start, limit } = request
  noteAsked(db, request.seen.form.id, request)
  if (!isPaged(request) && (start !== undefined || limit !== undefined)) {
    return findRange(db, request, {
      offset: start ?? 0,
      limit: Math.min(limit ?? largestPageSize, largestPageSize),
    })
  }
  const window = windowOf(request)
  if (window === undefined) return findPage(db, request)
  const range = await askedRange(request, () => totalIn(db, request, window))
  const { slice, total } = await runInWindow(db, request, window, range)
  return { slice, page: pageFound(request, total), total }
}

/** How many records match, whatever page is asked for. In a large form an estimate where counting takes long. */
export const totalOf = async (db: Database, request: ListRequest): Promise<Total> => {
  const window = countedWindow(request)
  if (window !== undefined) return { count: await totalIn(db, request, window), isExact: true }
  if (await isLarge(db, request)) return totalWithin(db, request)
  return { count: await countMatching(db, request), isExact: true }
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
