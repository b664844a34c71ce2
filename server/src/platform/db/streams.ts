// What comes from the database piece by piece. Each stream has a place (`stream-places.ts`) and a connection for as long as it
// lasts.
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { to as copyToStdout } from 'pg-copy-streams'
import type { ByteStream, Database, Db } from './db.js'
import { databaseError } from './faults.js'
import { inlineValues } from './inline-values.js'
import type { OnePool } from './pool.js'
import type { Place, Reader, StreamPlaces } from './stream-places.js'

export type Streams = Pick<Database, 'copyTo' | 'snapshot'>

/** The place is told when it is the reader who is waited for. */
const handedOut = (source: AsyncIterator<Buffer>, place: Place, giveUp: () => Promise<void>): ByteStream => ({
  next: async () => {
    place.resumed()
    try {
      return await source.next()
    } catch (error) {
      throw databaseError(error)
    } finally {
      place.handedOver()
    }
  },
  return: async () => {
    await giveUp()
    return { done: true, value: undefined }
  },
  [Symbol.asyncIterator]() {
    return this
  },
})

const oneSnapshot = 'begin isolation level repeatable read, read only'

async function* ofOneSnapshot(
  { transactionOf }: OnePool,
  make: (tx: Db) => Promise<Readable>,
  onStream: (stream: Readable) => void,
): AsyncGenerator<Buffer> {
  let began: (stream: Readable) => void = () => undefined
  const beginning = new Promise<Readable>((resolve) => {
    began = resolve
  })
  const work = transactionOf(oneSnapshot, async (tx) => {
    const stream = await make(tx)
    const end = finished(stream, { writable: false })
    began(stream)
    await end
  })
  const stream = await Promise.race([beginning, work.then(() => undefined)])
  if (stream === undefined) return
  onStream(stream)
  try {
    for await (const chunk of stream) yield chunk as Buffer
    await work
  } finally {
    // Whoever stops reading ends the snapshot too; that it was cut short is no news then.
    stream.destroy()
    await work.catch(() => undefined)
  }
}

export const streamsOf = (pool: OnePool, places: StreamPlaces, reader: Reader): Streams => ({
  copyTo: async (statement) => {
    let stream: Readable | undefined
    const place = await places.enter(reader, (reason) => stream?.destroy(reason))
    const client = await pool.takeClient().catch((error) => {
      place.leave()
      throw error
    })
    const copy = client.query(copyToStdout(inlineValues(statement)))
    stream = copy
    // A reader that leaves early leaves the protocol in the middle of the copy: that connection is thrown away, and
    // the stream hears of its end when nobody listens any more.
    copy.once('close', () => {
      client.release(!copy.readableEnded)
      place.leave()
    })
    copy.on('error', () => undefined)
    place.handedOver()
    return handedOut(copy[Symbol.asyncIterator](), place, async () => {
      copy.destroy()
    })
  },
  snapshot: async function* (make) {
    let stream: Readable | undefined
    const place = await places.enter(reader, (reason) => stream?.destroy(reason))
    const onStream = (made: Readable) => {
      stream = made
    }
    const source = ofOneSnapshot(pool, make, onStream)
    try {
      yield* handedOut(source, place, async () => {
        await source.return(undefined)
      })
    } finally {
      place.leave()
    }
  },
})
