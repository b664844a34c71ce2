// Whoever asks for much and does not read it holds memory, a socket, and often a connection of the database. An answer that
// makes no progress within a bound is cut.
import type { FastifyReply } from 'fastify'
import { budgets } from '../../budgets.js'
import type { App } from './room.js'

/** Smaller answers the system takes in at once, whoever reads them. */
export const isWatched = (payload: unknown): boolean =>
  typeof payload === 'string' || Buffer.isBuffer(payload)
    ? payload.length > budgets.answers.watchedBytes
    : payload !== null && payload !== undefined

/** The system counts a byte that was taken as progress; what waits for us and not for the reader is left alone. */
const watch = ({ raw }: FastifyReply, readerMs: number): void => {
  raw.setTimeout(readerMs, () => {
    const { socket } = raw
    if (socket === null || raw.writableFinished) return
    if (socket.writableLength > 0) socket.destroy()
    else raw.setTimeout(readerMs)
  })
}

export const cutIdleReaders = (app: App, readerMs: number = budgets.streams.readerSeconds * 1000): void => {
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isWatched(payload)) watch(reply, readerMs)
    done(null, payload)
  })
}
