// Browsers and balancers open connections ahead of need. When the server stops, those without a request in progress are
// cut at once: node counts a connection that never asked for anything as busy, and stopping waited 30 seconds for it.
import type { Socket } from 'node:net'
import { budgets } from '../../budgets.js'
import type { App } from './room.js'

/** What is sent behind a request on the same line is worked on when that is answered. Node gives a response no socket before
 * its turn: one whose sender had hung up never ended, and kept its place for ever. */
export const answerInOrder = (app: App): void => {
  const behind = new WeakMap<Socket, number>()
  app.addHook('onRequest', (request, { raw }, done) => {
    if (raw.socket !== null) return done()
    const { socket } = request.raw
    const waiting = (behind.get(socket) ?? 0) + 1
    if (waiting > budgets.waiting.behindOnLine) return void socket.destroy()
    behind.set(socket, waiting)
    raw.once('socket', () => {
      behind.set(socket, (behind.get(socket) ?? 1) - 1)
      done()
    })
  })
}

export const closeIdleSockets = (app: App): void => {
  const requests = new Map<Socket, number>()
  const count = (socket: Socket, change: number) => requests.set(socket, (requests.get(socket) ?? 0) + change)
  let isClosing = false
  const cutIdle = () => {
    for (const [socket, inProgress] of requests) if (inProgress === 0) socket.destroy()
  }
  app.server.on('connection', (socket: Socket) => {
    requests.set(socket, 0)
    socket.once('close', () => requests.delete(socket))
  })
  app.server.on('request', ({ socket }, response) => {
    count(socket, 1)
    response.once('close', () => {
      if (requests.has(socket)) count(socket, -1)
      if (isClosing) cutIdle()
    })
  })
  app.addHook('preClose', async () => {
    isClosing = true
    cutIdle()
  })
}
