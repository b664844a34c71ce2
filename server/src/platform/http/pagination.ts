// Pages of a list. The body is always the bare array; where to go on is in the Link header.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { budgets } from '../../budgets.js'
import { Type } from '../schema/index.js'
import { AppError } from './errors.js'

const defaultPageSize = 1000
export const largestPageSize = budgets.answers.pageSize

export const PageQuery = {
  page: Type.Optional(
    Type.String({ maxLength: 20, description: 'Page number, from 1, or `last`.', examples: ['2', 'last'] }),
  ),
  page_size: Type.Optional(
    Type.String({ maxLength: 20, description: `Records a page; at most ${largestPageSize}.`, examples: ['100'] }),
  ),
}

export interface Page {
  readonly number: number
  readonly size: number
  readonly offset: number
  readonly last: number
  /** Of the whole list. */
  readonly total: number
}

/** How many there are in the whole list, and whether that is more than an estimate. */
export const sendTotal = (reply: FastifyReply, total: number, isExact = true): void => {
  reply.header('x-total-count', total)
  if (!isExact) reply.header('x-total-count-exact', 'false')
}

const invalidPage = () => new AppError({ code: 'page.invalid', status: 404, message: 'Invalid page.' })

/** A missing, zero, negative or non-numeric size is the default; a larger one is clamped. */
const sizeOf = (text: string | undefined, defaultSize: number): number => {
  const size = /^\d{1,15}$/.test(text ?? '') ? Number(text) : 0
  return size === 0 ? defaultSize : Math.min(size, largestPageSize)
}

/** Page 1 of an empty list is valid; anything past the end is 404. */
export const pageOf = (
  query: { page?: string; page_size?: string },
  total: number,
  defaultSize = defaultPageSize,
): Page => {
  const size = sizeOf(query.page_size, defaultSize)
  const last = Math.max(1, Math.ceil(total / size))
  const { page = '1' } = query
  if (page !== 'last' && !/^\d{1,15}$/.test(page)) throw invalidPage()
  const number = page === 'last' ? last : Number(page)
  if (number < 1 || number > last) throw invalidPage()
  return { number, size, offset: (number - 1) * size, last, total }
}

/** Relations in the order prev, next, last, first, each only where it applies; undefined when none does. */
export const linkHeader = (address: string, { number, last }: Pick<Page, 'number' | 'last'>): string | undefined => {
  const link = (page: number, relation: string) => `<${withPage(address, page)}>; rel="${relation}"`
  const links = [
    ...(number > 1 ? [link(number - 1, 'prev')] : []),
    ...(number < last ? [link(number + 1, 'next'), link(last, 'last')] : []),
    ...(number > 1 ? [link(1, 'first')] : []),
  ]
  return links.length === 0 ? undefined : links.join(', ')
}

/** The other parameters are kept and sorted by name. */
const withPage = (address: string, page: number): string => {
  const url = new URL(address)
  url.searchParams.set('page', String(page))
  url.searchParams.sort()
  return url.toString()
}

/** Where to go on, and how many there are. */
export const sendLinks = (request: FastifyRequest, reply: FastifyReply, page: Page): void => {
  sendTotal(reply, page.total)
  const header = linkHeader(request.origin + request.originalUrl, page)
  if (header !== undefined) reply.header('link', header)
}
