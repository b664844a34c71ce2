// A streaming copy of a PostgreSQL that runs. There is no pg_basebackup among the binaries that the server brings along: the folder
// is copied while the database says where a copy begins and ends.
import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Postgres {
  readonly connection: { readonly host: string; readonly user: string; readonly database: string }
  readonly dataFolder: string
  readonly pid: number
  stop(): Promise<void>
}

/** `startEmbeddedPostgres` of the server. */
type Start<P extends Postgres> = (options: { folder: string; settings: Record<string, string> }) => Promise<P>

/** A session of the primary. */
export interface Session {
  query(text: string): Promise<{ rows: Record<string, string>[] }>
}

/** What a primary has to have set. */
export const primarySettings = { wal_level: 'replica', max_wal_senders: '10', hot_standby: 'on' }

export interface StandbyOptions<P extends Postgres> {
  readonly start: Start<P>
  readonly primary: Postgres
  /** Open for as long as the copy takes. */
  readonly session: Session
  /** Is made. */
  readonly folder: string
  readonly settings?: Record<string, string>
}

export interface Followed<P extends Postgres> {
  /** Started again where it was: after it was stopped or killed. */
  start(): Promise<P>
}

/** Copies the folder of a primary, to be started as its copy. */
export const copyPrimary = async <P extends Postgres>({
  start,
  primary,
  session,
  folder,
  settings = {},
}: StandbyOptions<P>): Promise<Followed<P>> => {
  const cluster = join(folder, 'cluster')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await session.query(`select pg_backup_start('a copy', true)`)
  // What vanishes while it is copied is in the log of changes.
  await run('cp', ['-a', primary.dataFolder, cluster]).catch(() => undefined)
  const { rows } = await session.query('select labelfile from pg_backup_stop(false)')
  await writeFile(join(cluster, 'backup_label'), rows[0]?.labelfile ?? '')
  await writeFile(join(cluster, 'standby.signal'), '')
  await rm(join(cluster, 'postmaster.pid'), { force: true })
  const { host, user } = primary.connection
  const follows = { primary_conninfo: `host=${host} port=5432 user=${user} application_name=copy` }
  return { start: () => start({ folder, settings: { ...primarySettings, ...settings, ...follows } }) }
}
