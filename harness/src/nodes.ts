// Several nodes of one installation behind a proxy, as they would be on several machines: each has a folder of its own, and shares
// nothing with the others but the database, the store and the settings.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { type FrontDoor, startProxy } from './proxy.js'
import { spawnServer } from './server.js'

type Settings = Readonly<Record<string, string>>

export interface NodesOptions {
  readonly count: number
  /** Of their data; it is there. */
  readonly folder: string
  /** Of the proxy; without it any. */
  readonly port?: number
  /** Of every node: database, store, and whatever is to be tried. */
  readonly settings: Settings
  /** Of one of them, counted from 0. */
  settingsOf?(number: number): Settings
}

export interface Node {
  readonly address: string
  readonly isAlive: boolean
  /** Until it says that it runs. */
  start(): Promise<void>
  /** Resolves when it is gone. */
  end(signal: NodeJS.Signals): Promise<void>
  /** What it has said since it was started, the end of it. */
  said(): string
}

export interface Nodes {
  readonly nodes: readonly Node[]
  readonly proxy: FrontDoor
  /** Where mails are written, whichever node has the job. */
  readonly outbox: string
  close(): Promise<void>
}

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const socket = createServer().listen(0, '127.0.0.1', () => {
      const { port } = socket.address() as AddressInfo
      socket.close(() => resolve(port))
    })
  })

const nodeAt = (port: number, settings: Settings): Node => {
  let child: ChildProcess | undefined
  let said = () => ''
  return {
    address: `http://127.0.0.1:${port}`,
    get isAlive() {
      return child !== undefined && child.exitCode === null && child.signalCode === null
    },
    start: async () => {
      const spawned = spawnServer({ settings: { ...settings, PORT: String(port) } })
      child = spawned.child
      said = spawned.said
      await spawned.address
    },
    end: async (signal) => {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
      const closed = once(child, 'close')
      child.kill(signal)
      await closed
    },
    said: () => said(),
  }
}

export const startNodes = async ({ count, folder, port, settings, settingsOf }: NodesOptions): Promise<Nodes> => {
  const outbox = join(folder, 'outbox')
  mkdirSync(outbox, { recursive: true })
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  const addresses = ports.map((own) => `http://127.0.0.1:${own}`)
  const proxy = await startProxy(addresses, port)
  const nodes = ports.map((ownPort, number) => {
    const own = join(folder, `node-${number + 1}`)
    mkdirSync(own, { recursive: true })
    symlinkSync(outbox, join(own, 'outbox'))
    const shared = { BASE_URL: proxy.address, TRUST_PROXY: 'loopback', ...settings }
    return nodeAt(ownPort, { ...shared, DATA_DIR: own, ...settingsOf?.(number) })
  })
  const close = async () => {
    proxy.close()
    await Promise.all(nodes.map((node) => node.end('SIGTERM')))
  }
  try {
    await Promise.all(nodes.map((node) => node.start()))
  } catch (error) {
    await close()
    throw error
  }
  return { nodes, proxy, outbox, close }
}
