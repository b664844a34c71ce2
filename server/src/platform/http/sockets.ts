// Browsers and balancers open connections ahead of need. When the server stops, those without a request in progress are
// cut at once: node counts a connection that never asked for anything as busy, and stopping waited 30 seconds for it.
import type { Socket } from 'node:net'
import type { App } from './room.js'

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
