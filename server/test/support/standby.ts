// A primary with a real streaming copy, for one test file.
import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { copyPrimary, primarySettings } from '../../../harness/src/standby.js'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/db/embedded/index.js'
import { fast, temporaryFolder } from './embedded.js'
import { prepareDatabase } from './prepared.js'

export interface Pair {
  readonly primary: EmbeddedPostgres
  /** The copy that runs, or ran last. */
  readonly standby: EmbeddedPostgres
  /** To the copy, also after it was started again. */
  readonly toStandby: { host: string; user: string; database: string }
  /** One session at each, for looking and for meddling. */
  readonly atPrimary: pg.Client
  readonly atStandby: pg.Client
  /** The copy has everything that the primary has now. */
  caughtUp(): Promise<void>
  killStandby(): Promise<void>
  startStandby(): Promise<void>
  close(): Promise<void>
}

const connected = async ({ connection }: EmbeddedPostgres): Promise<pg.Client> => {
  const client = new pg.Client({ ...connection, port: 5432, database: 'sheaf' })
  // It is killed on purpose.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** PostgreSQL's own for tests, and so that what is read and what arrives meet at once. */
const settings = {
  ...fast,
  ...primarySettings,
  autovacuum: 'off',
  max_standby_streaming_delay: '0',
  max_connections: '200',
}

export const startPair = async (): Promise<Pair> => {
  const folder = await temporaryFolder()
  const primaryFolder = join(folder.path, 'primary')
  await prepareDatabase(primaryFolder)
  const primary = await startEmbeddedPostgres({ folder: primaryFolder, settings })
  const atPrimary = await connected(primary)
  const followed = await copyPrimary({
    start: startEmbeddedPostgres,
    primary,
    session: atPrimary,
    folder: join(folder.path, 'standby'),
    settings,
  })
  const address = join(folder.path, 'at')
  const started = async () => {
    const copy = await followed.start()
    await rm(address, { force: true })
    await symlink(copy.connection.host, address)
    return copy
  }
  let standby = await started()
  let atStandby = await connected(standby)
  const caughtUp = async () => {
    const { rows } = await atPrimary.query('select pg_current_wal_flush_lsn()::text as reached')
    for (;;) {
      const { rows: there } = await atStandby.query('select pg_last_wal_replay_lsn() >= $1::pg_lsn as "isThere"', [
        rows[0].reached,
      ])
      if (there[0].isThere === true) return
    }
  }
  return {
    primary,
    get standby() {
      return standby
    },
    toStandby: { ...primary.connection, host: address },
    atPrimary,
    get atStandby() {
      return atStandby
    },
    caughtUp,
    killStandby: async () => {
      process.kill(standby.pid, 'SIGKILL')
      await standby.exited
      await standby.stop()
    },
    startStandby: async () => {
      standby = await started()
      atStandby = await connected(standby)
    },
    close: async () => {
      await Promise.all([atPrimary, atStandby].map((client) => client.end().catch(() => undefined)))
      await standby.stop()
      await primary.stop()
      await folder.remove()
    },
  }
}
