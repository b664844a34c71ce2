// What comes from the database piece by piece. Each stream has a place (`places.ts`) and a connection for as long as it
// lasts.
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { to as copyToStdout } from 'pg-copy-streams'
import { Stoppable } from './cancel.js'
import type { ByteStream, Database, Db } from './db.js'
import { Ending, type Signal } from './ending.js'
import { databaseError, ReaderGone } from './faults.js'
import { inlineValues } from './inline-values.js'
import type { Place, Places, Reader } from './places.js'
import type { OnePool } from './pool.js'

export type Streams = Pick<Database, 'copyTo' | 'snapshot'>

/** A place, and the end of what is done there: by whoever reads, who has hung up or is cut. */
interface Seat {
  readonly place: Place
  readonly ending: Ending
  leave(): void
}

const seatOf = async (places: Places, reader: Reader): Promise<Seat> => {
  const { gone } = reader
  const ending = new Ending()
  const end = () => ending.abort(new ReaderGone())
  const place = await places.enter(reader, (reason) => ending.abort(reason))
  gone?.addEventListener('abort', end)
  if (gone?.aborted === true) end()
  return {
    place,
    ending,
    leave: () => {
      gone?.removeEventListener('abort', end)
      place.leave()
    },
  }
}

/** The place is told when it is the reader who is waited for. */
const handedOut = (source: AsyncIterator<Buffer>, { place, ending }: Seat, giveUp: () => Promise<void>): ByteStream => {
  let isOver = false
  return {
    next: async () => {
      place.resumed()
      try {
        const next = await source.next()
        if (next.done === true) isOver = true
        return next
      } catch (error) {
        throw ending.aborted ? ending.reason : databaseError(error)
      } finally {
        place.handedOver()
      }
    },
    return: async () => {
      // Who has read all of it gives nothing up: the connection is as good as before.
      if (!isOver) await giveUp()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

const oneSnapshot = 'begin isolation level repeatable read, read only'

async function* ofOneSnapshot(
  { transactionOf }: OnePool,
  make: (tx: Db) => Promise<Readable>,
  signal: Signal,
): AsyncGenerator<Buffer> {
  let began: (stream: Readable) => void = () => undefined
  const beginning = new Promise<Readable>((resolve) => {
    began = resolve
  })
  const inSnapshot = async (tx: Db) => {
    const stream = await make(tx)
    const end = finished(stream, { writable: false })
    began(stream)
    await end
  }
  const work = transactionOf(oneSnapshot, inSnapshot, signal)
  const stream = await Promise.race([beginning, work.then(() => undefined)])
  if (stream === undefined) return
  const cut = () => stream.destroy(signal.reason as Error)
  signal.addEventListener('abort', cut)
  try {
    signal.throwIfAborted()
    for await (const chunk of stream) yield chunk as Buffer
    await work
  } finally {
    // Whoever stops reading ends the snapshot too; that it was cut short is no news then.
    stream.destroy()
    await work.catch(() => undefined)
    signal.removeEventListener('abort', cut)
  }
}

type Copy = ReturnType<typeof copyToStdout>

/** Begins a copy, and ends it where it is told to: what it still brings is thrown away until the database has stopped. */
const copied = (client: pg.PoolClient, text: string, signal: Signal, onEnd: () => void): Copy => {
  const stoppable = new Stoppable(client, signal)
  const copy = client.query(copyToStdout(text))
  const drain = () => void copy.removeAllListeners('readable').resume()
  signal.addEventListener('abort', drain)
  // The driver tells the stream of a failure without ending it.
  copy.on('error', (error: Error) => copy.destroy(error))
  const end = new Promise<void>((resolve) => copy.once('close', resolve))
  void stoppable
    .run(() => end)
    .catch(() => undefined)
    .finally(() => {
      signal.removeEventListener('abort', drain)
      // Where it did not come to its end, the protocol is in the middle of the copy.
      stoppable.release(!copy.readableEnded)
      onEnd()
    })
  return copy
}

export const streamsOf = (pool: OnePool, places: Places, reader: Reader): Streams => ({
  copyTo: async (statement) => {
    // Before anything is taken: what cannot be written out would keep it.
    const text = inlineValues(statement)
    const seat = await seatOf(places, reader)
    const { place, ending } = seat
    const client = await pool.takeClient().catch((error) => {
      seat.leave()
      throw error
    })
    if (ending.aborted) {
      client.release()
      seat.leave()
      throw ending.reason
    }
    const copy = copied(client, text, ending, seat.leave)
    place.handedOver()
    return handedOut(copy[Symbol.asyncIterator](), seat, async () => ending.abort(new ReaderGone()))
  },
  snapshot: async function* (make) {
    const seat = await seatOf(places, reader)
    const { ending } = seat
    const source = ofOneSnapshot(pool, make, ending)
    try {
      yield* handedOut(source, seat, async () => {
        ending.abort(new ReaderGone())
        await source.return(undefined)
      })
    } finally {
      seat.leave()
    }
  },
})
