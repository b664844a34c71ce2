// How to run PostgreSQL's programs as a user that PostgreSQL accepts (it refuses root) and so that they end with us.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Binaries, copyBinaries } from './binaries.js'
import { EmbeddedPostgresError, otherwise } from './errors.js'

export interface Way {
  readonly how: 'plain' | 'user-namespace' | 'dropped-root'
  readonly native: string
  /** Programs that set something up and become the next one (exec), so the process id stays the one we spawned. */
  readonly prefix: readonly string[]
  /** Whose the data is, where that is not simply whoever runs us. */
  readonly user: { readonly uid: number; readonly gid: number } | undefined
}

/** nobody on Debian and Fedora alike, and what a user namespace shows for users it does not know. */
const nobody = { uid: 65_534, gid: 65_534 }

/**
 * The first way that really runs `postgres --version` (9 ms). Trying the programs themselves beats asking what the
 * kernel, the container or the mount would allow. Data that exists already decides whose it stays.
 */
export async function chooseWay(binaries: Binaries, dataOwner: { uid: number; gid: number } | undefined): Promise<Way> {
  const refusals = new Set<string>()
  for await (const way of waysToTry(binaries, dataOwner)) {
    const refusal = await probe(way)
    if (refusal === undefined) return way
    refusals.add(`${way.how}: ${refusal}`)
  }
  throw new EmbeddedPostgresError(
    'cannot_start',
    `The built-in PostgreSQL does not run on this machine (${[...refusals].join('; ')}). ${otherwise}`,
  )
}

async function* waysToTry(binaries: Binaries, dataOwner: { uid: number; gid: number } | undefined) {
  const isRoot = process.getuid?.() === 0
  const kinds: Pick<Way, 'how' | 'prefix' | 'user'>[] = []
  // In a namespace of its own, root looks like nobody to PostgreSQL and stays root to the files.
  const namespace = {
    how: 'user-namespace',
    prefix: ['unshare', '--user', `--map-user=${nobody.uid}`, `--map-group=${nobody.gid}`],
    user: undefined,
  } as const
  if (!isRoot) {
    // initdb insists on a user with a name, which `docker run --user 1234` and OpenShift do not give.
    if (!hasName()) kinds.push(namespace)
    kinds.push({ how: 'plain', prefix: [], user: undefined })
  } else {
    const isOurs = dataOwner === undefined || dataOwner.uid === 0
    if (isOurs) kinds.push(namespace)
    // Containers usually forbid namespaces. And data of another user (sudo, once) stays that user's.
    kinds.push({ how: 'dropped-root', prefix: [], user: isOurs ? nobody : dataOwner })
  }
  // The kernel sends SIGINT to PostgreSQL when we die, even by kill -9. It forgets that order when the user
  // changes, so setpriv comes last. Without setpriv, the next start ends what was left over (takeover.ts).
  const endings = process.platform === 'linux' ? [['setpriv', '--pdeathsig', 'INT'], []] : [[]]
  const all = kinds.flatMap((kind) => endings.map((ending) => ({ ...kind, prefix: [...kind.prefix, ...ending] })))
  for (const kind of all) yield { ...kind, native: binaries.native }
  if (!isRoot) return
  const { native } = await copyBinaries(binaries)
  for (const kind of all) yield { ...kind, native }
}

function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

async function probe(way: Way): Promise<string | undefined> {
  const child = launch(way, 'postgres', ['--version'], { cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
  const [code, complaint] = await Promise.all([
    exitOf(child).then((exit) => exit.code, String),
    child.stderr ? text(child.stderr) : '',
  ])
  return code === 0 ? undefined : complaint.trim() || String(code)
}

/** Nothing of our environment but the search path: PGDATA, PGOPTIONS or LD_LIBRARY_PATH would lead it astray. */
export function launch(way: Way, program: 'postgres' | 'initdb', args: string[], options: SpawnOptions): ChildProcess {
  const [first = '', ...rest] = [...way.prefix, join(way.native, 'bin', program), ...args]
  return spawn(first, rest, {
    ...options,
    ...way.user,
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
  })
}

export const exitOf = (child: ChildProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null }> =>
  new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })

/**
 * What to give as -D, always with the data folder as working directory. A user that may not walk down to the data
 * (it lies under root's home, mode 700) may still use the folder it stands in, and Linux has a name for that one;
 * so the data stays where the person asked for it, whichever way is taken.
 */
export const dataArgument = (way: Way, dataFolder: string): string =>
  way.how === 'plain' ? dataFolder : '/proc/self/cwd'
