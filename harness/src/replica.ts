// A streaming replica of the PostgreSQL that a server brings along, as a second server is told of it.
import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { clusterOf, postmasterOf } from './postmaster.js'
import { copyPrimary, type Postgres, type Session } from './standby.js'

export interface Replica {
  /** For `DATABASE_REPLICA_URL`; the same after it was started again. */
  readonly url: string
  /** As a machine that loses its power. */
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

interface Started extends Postgres {
  readonly exited: Promise<unknown>
}

const embedded = async () =>
  (await import(new URL('../../server/dist/platform/db/embedded/index.js', import.meta.url).href)) as {
    startEmbeddedPostgres: (options: { folder: string; settings: Record<string, string> }) => Promise<Started>
  }

export interface ReplicaOptions {
  /** Of the server whose PostgreSQL is followed: it runs. */
  readonly dataDir: string
  /** At that PostgreSQL, for as long as the copy takes. */
  readonly session: Session
  /** For the copy. Is made. */
  readonly folder: string
}

export const startReplica = async ({ dataDir, session, folder }: ReplicaOptions): Promise<Replica> => {
  const { startEmbeddedPostgres } = await embedded()
  const { pid, socketFolder } = postmasterOf(dataDir)
  const primary = {
    connection: { host: socketFolder, user: 'postgres', database: 'sheaf' },
    dataFolder: clusterOf(dataDir),
    pid,
    stop: async () => undefined,
  }
  const copied = await copyPrimary({ start: startEmbeddedPostgres, primary, session, folder })
  const address = join(folder, 'at')
  const started = async (): Promise<Started> => {
    const copy = await copied.start()
    await rm(address, { force: true })
    await symlink(copy.connection.host, address)
    return copy
  }
  let copy = await started()
  return {
    url: `postgres://postgres@${encodeURIComponent(address)}/sheaf`,
    kill: async () => {
      process.kill(copy.pid, 'SIGKILL')
      await copy.exited
      await copy.stop()
    },
    start: async () => {
      copy = await started()
    },
    stop: () => copy.stop(),
  }
}
