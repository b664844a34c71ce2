// The data folder itself: made once, whole or not at all.
import { randomBytes } from 'node:crypto'
import { chown, lchown, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { EmbeddedPostgresError, isErrno, otherwise } from './errors.js'
import { dataArgument, exitOf, launch, type Way } from './ways.js'

export const dataFolderOf = (folder: string): string => join(folder, 'cluster')

export async function ownerOfData(dataFolder: string): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const { uid, gid } = await stat(join(dataFolder, 'PG_VERSION'))
    return { uid, gid }
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  }
}

/**
 * initdb takes 0.8 s and a power cut in the middle leaves a folder that PostgreSQL neither starts nor initialises
 * again. So it works in a folder of another name, and only a finished one is called `cluster`.
 */
export async function makeCluster(
  folder: string,
  way: Way,
  options: { isDurable: boolean; lockFd: number | undefined },
): Promise<void> {
  await removeUnfinished(folder)
  const unfinished = join(folder, `cluster.new-${randomBytes(4).toString('hex')}`)
  await mkdir(unfinished, { mode: 0o700 })
  if (way.user) await chown(unfinished, way.user.uid, way.user.gid)
  const args = [
    ...['-D', dataArgument(way, unfinished), '--username=postgres', '--auth-local=trust', '--auth-host=reject'],
    // The builtin C.UTF-8 sorts by code point with memcmp and does not depend on the system's C library, whose
    // upgrades have silently corrupted text indexes of libc collations (glibc 2.28).
    ...['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
    `--lc-ctype=${process.platform === 'darwin' ? 'UTF-8' : 'C.UTF-8'}`,
    ...['--no-instructions', ...(options.isDurable ? [] : ['--no-sync'])],
  ]
  const child = launch(way, 'initdb', args, {
    cwd: unfinished,
    stdio: ['ignore', 'ignore', 'pipe', options.lockFd ?? 'ignore'],
  })
  const [exit, complaint] = await Promise.all([exitOf(child), child.stderr ? text(child.stderr) : ''])
  if (exit.code !== 0) {
    await rm(unfinished, { recursive: true, force: true })
    const words = complaint.trim() || `initdb ended with ${exit.signal ?? exit.code}`
    throw new EmbeddedPostgresError('cannot_start', `PostgreSQL could not set up ${folder}: ${words}\n${otherwise}`)
  }
  await publish(folder, unfinished)
}

async function publish(folder: string, unfinished: string): Promise<void> {
  try {
    await rename(unfinished, dataFolderOf(folder))
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (!isErrno(error, 'ENOTEMPTY', 'EEXIST', 'ENOTDIR')) throw error
    throw new EmbeddedPostgresError(
      'cannot_start',
      `${dataFolderOf(folder)} exists but holds no PostgreSQL data. Move it away, or choose another DATA_DIR.`,
    )
  }
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}

async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith('cluster.new-')) await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Root's data on a machine that no longer allows namespaces: hand it over, once. PostgreSQL insists on owning it. */
export async function handOver(path: string, user: { uid: number; gid: number }): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await handOver(join(path, entry.name), user)
    else await lchown(join(path, entry.name), user.uid, user.gid)
  }
  await lchown(path, user.uid, user.gid)
}
