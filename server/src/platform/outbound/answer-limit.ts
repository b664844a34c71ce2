// An answer may be long without having a body: hints that it will come, blank lines, extensions of chunks. The client
// counts only bodies and headers, so what arrives is counted on the line itself, anew for every request written to it.
import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { budgets } from '../../budgets.js'

/** Bytes that had arrived on a line when its present request was written; lines of this client only. */
const beginnings = new WeakMap<Socket, number | undefined>()

const tooLarge = () => Object.assign(new Error('The answer is too large'), { code: 'SHEAF_ANSWER_TOO_LARGE' })

/** From now on the answers on this line are counted. */
export const limitAnswers = (socket: Socket): void => {
  beginnings.set(socket, undefined)
}

const check = (socket: Socket): void => {
  if (socket.bytesRead - (beginnings.get(socket) ?? 0) > budgets.outbound.answerBytes) socket.destroy(tooLarge())
}

// Behind the client's own listener, which is there as soon as it writes: what it has read is counted then.
subscribe('undici:client:sendHeaders', (message) => {
  const { socket } = message as { socket: Socket }
  if (!beginnings.has(socket)) return
  const isFirst = beginnings.get(socket) === undefined
  beginnings.set(socket, socket.bytesRead)
  if (isFirst) socket.on('readable', () => check(socket))
})
