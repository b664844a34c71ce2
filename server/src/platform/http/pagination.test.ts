import { describe, expect, it } from 'vitest'
import { linkHeader, type Page, pageOf } from './pagination.js'

describe('pageOf', () => {
  it.each<[{ page?: string; page_size?: string }, number, Page]>([
    [{}, 5, { number: 1, size: 1000, offset: 0, last: 1, total: 5 }],
    [{}, 0, { number: 1, size: 1000, offset: 0, last: 1, total: 0 }],
    [{ page_size: '2' }, 5, { number: 1, size: 2, offset: 0, last: 3, total: 5 }],
    [{ page: '3', page_size: '2' }, 5, { number: 3, size: 2, offset: 4, last: 3, total: 5 }],
    [{ page: 'last', page_size: '2' }, 5, { number: 3, size: 2, offset: 4, last: 3, total: 5 }],
    [{ page_size: '10001' }, 5, { number: 1, size: 10_000, offset: 0, last: 1, total: 5 }],
    ...['0', '-1', 'x', '', '1.5'].map((page_size): [{ page_size: string }, number, Page] => [
      { page_size },
      5,
      { number: 1, size: 1000, offset: 0, last: 1, total: 5 },
    ]),
  ])('%j of %i records is %j', (query, total, page) => expect(pageOf(query, total)).toEqual(page))

  it.each(['0', '-1', 'x', '', '1.5', '2', '99999999999999999999'])('404 Invalid page. for page %j of one', (page) => {
    expect(() => pageOf({ page }, 5)).toThrow(expect.objectContaining({ status: 404, message: 'Invalid page.' }))
  })
})

describe('linkHeader', () => {
  const address = 'http://h/api/v1/projects?page_size=1&owner=ana'
  const at = (page: number) => `<http://h/api/v1/projects?owner=ana&page=${page}&page_size=1>`

  it('has prev, next, last and first in this order, with the other parameters kept and sorted', () => {
    expect(linkHeader(`${address}&page=2`, { number: 2, last: 4 })).toBe(
      `${at(1)}; rel="prev", ${at(3)}; rel="next", ${at(4)}; rel="last", ${at(1)}; rel="first"`,
    )
  })

  it('leaves out what does not apply', () => {
    expect(linkHeader(address, { number: 1, last: 4 })).toBe(`${at(2)}; rel="next", ${at(4)}; rel="last"`)
    expect(linkHeader(address, { number: 4, last: 4 })).toBe(`${at(3)}; rel="prev", ${at(1)}; rel="first"`)
    expect(linkHeader(address, { number: 1, last: 1 })).toBeUndefined()
  })

  it('escapes what would end the address', () => {
    expect(linkHeader('http://h/x?q=<a>"%3E', { number: 1, last: 2 })).not.toMatch(/<[^>]*[<"][^>]*>/)
  })
})
