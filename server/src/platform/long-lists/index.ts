// Pages of a list may have ten thousand rows, and a row ten thousand characters: what is long is read and sent some rows at a
// time, so that neither memory nor the event loop holds all of it.
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'

interface Page {
  readonly offset: number
  readonly size: number
}

export interface LongList<Row, View> {
  readonly page: Page
  /** Rows that are read together. */
  readonly atOnce?: number
  read(range: { offset: number; limit: number }): Promise<readonly Row[]>
  shown(rows: readonly Row[]): readonly View[] | Promise<readonly View[]>
}

const usualRows = 250

/** JSON of a list that begins with these rows. */
async function* textOf<Row, View>(list: LongList<Row, View>, first: readonly Row[], atOnce: number) {
  const { page, read, shown } = list
  let between = '['
  let rows = first
  for (let done = 0; rows.length > 0; ) {
    for (const view of await shown(rows)) {
      yield between + JSON.stringify(view)
      between = ','
    }
    done += rows.length
    await setImmediate()
    const left = page.size - done
    rows =
      rows.length < atOnce || left <= 0 ? [] : await read({ offset: page.offset + done, limit: Math.min(atOnce, left) })
  }
  yield between === '[' ? '[]' : ']'
}

/** For a handler to return: whole where it is short, so that it has a length and a tag; otherwise as it is read. */
export const sendPage = async <Row, View>(reply: FastifyReply, list: LongList<Row, View>): Promise<View[]> => {
  const { page, atOnce = usualRows, read, shown } = list
  const first = await read({ offset: page.offset, limit: Math.min(page.size, atOnce) })
  if (first.length < atOnce || page.size <= atOnce) return [...(await shown(first))]
  const text = Readable.from(textOf(list, first, atOnce), { objectMode: false })
  return reply.type('application/json; charset=utf-8').send(text) as never
}
