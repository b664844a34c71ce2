// Between a server and its PostgreSQL: lets everything through, or refuses everybody.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Door {
  readonly port: number
  /** Cuts every connection, and refuses new ones. */
  shut(): void
  open(): void
  close(): void
}

export const startDoor = async (socketPath: () => string): Promise<Door> => {
  const through = new Set<Socket>()
  let isShut = false
  const join = (one: Socket, other: Socket) => {
    through.add(one)
    one.on('error', () => undefined)
    one.once('close', () => {
      through.delete(one)
      other.destroy()
    })
    one.pipe(other)
  }
  const cut = () => {
    for (const socket of through) socket.destroy()
  }
  const server = createServer((outside) => {
    if (isShut) return void outside.destroy()
    const inside = connect(socketPath())
    join(outside, inside)
    join(inside, outside)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    shut: () => {
      isShut = true
      cut()
    },
    open: () => {
      isShut = false
    },
    close: () => {
      cut()
      server.close()
    },
  }
}
