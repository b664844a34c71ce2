// Which server a folder belongs to. The claim is a chain of small files, owner.1.json, owner.2.json, …: the
// highest number is the owner, and a claim is made by adding the next number with link(2), which succeeds for
// exactly one process. (Deleting a stale lock file and creating it again is the usual way and lets two processes
// win: the slower one deletes the claim of the faster.)
import { randomBytes } from 'node:crypto'
import { link, readdir, readFile, realpath, rename, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddedPostgresError, isErrno } from './errors.js'
import { matchOwner } from './ownership.js'
import { pidNamespace, processMark } from './processes.js'

export interface Owner {
  readonly pid: number
  readonly mark: string
  readonly namespace: string
  readonly socketFolder: string
  readonly released: boolean
  /** The folder that was claimed. A copy of it, made while its server runs, has this claim too; the claim, its process and
   * its socket are not the copy's. Claims of before have none. */
  readonly place?: Place
}

interface Place {
  readonly path: string
  /** Device and number of the folder on it. */
  readonly identity: string
}

const placeOf = async (folder: string): Promise<Place> => {
  const [path, { dev, ino }] = await Promise.all([realpath(folder), stat(folder)])
  return { path, identity: `${dev}:${ino}` }
}

export interface Claim {
  /** Whose claim this one follows: dead, or finished. */
  readonly previous: Owner | undefined
  /** That of the previous one, if it was this folder's. */
  readonly leftSocketFolder: string | undefined
  release(): Promise<void>
}

export async function claimFolder(folder: string, socketFolder: string): Promise<Claim> {
  const owner: Owner = {
    pid: process.pid,
    mark: (await processMark(process.pid)) ?? '',
    namespace: await pidNamespace(),
    socketFolder,
    released: false,
    place: await placeOf(folder),
  }
  for (;;) {
    const { highest, owner: previous } = await readHighest(folder)
    if (previous !== undefined && (await isAlive(folder, previous))) throw inUse(folder, previous.pid)
    const mine = highest + 1
    if (!(await addClaim(folder, mine, owner))) continue
    // A listing is no snapshot: the claim below can vanish and the one above appear while it is read, and then
    // an empty folder was seen where there was an owner. Looking again after the link settles it.
    const claims = await listClaims(folder)
    if (claims.at(-1) !== mine) {
      await unlink(claimFile(folder, mine)).catch(ignoreMissing)
      continue
    }
    for (const older of claims.slice(0, -1)) await unlink(claimFile(folder, older)).catch(ignoreMissing)
    // Overwritten, never deleted: a deleted number could be linked again by a process that is only slow.
    const release = () => replaceFile(folder, claimFile(folder, mine), { ...owner, released: true })
    return { previous, leftSocketFolder: await socketFolderOf(folder, previous), release }
  }
}

export async function refuseIfOwned(folder: string): Promise<void> {
  const { owner } = await readHighest(folder)
  if (owner !== undefined && (await isAlive(folder, owner))) throw inUse(folder, owner.pid)
}

export const inUse = (folder: string, pid?: number): EmbeddedPostgresError =>
  new EmbeddedPostgresError(
    'in_use',
    `Another Sheaf server (${pid === undefined ? 'not visible from here, perhaps in another container' : `process ${pid}`}) ` +
      `is already using ${folder}. Stop it first, or give this one a DATA_DIR of its own.`,
  )

/** Both must differ: a folder that was moved keeps its identity, and some file systems change it for the same path. */
async function isOfCopy(folder: string, { place }: Owner): Promise<boolean> {
  if (place === undefined) return false
  const here = await placeOf(folder)
  return place.identity !== here.identity && place.path !== here.path
}

/** Removed only where it is beyond doubt ours: containers have the same paths, and may share a folder for temporary files. */
async function socketFolderOf(folder: string, owner: Owner | undefined): Promise<string | undefined> {
  if (owner?.place === undefined) return undefined
  return owner.place.identity === (await placeOf(folder)).identity ? owner.socketFolder : undefined
}

async function isAlive(folder: string, owner: Owner): Promise<boolean> {
  if (owner.released || (await isOfCopy(folder, owner))) return false
  // From inside another namespace the number says nothing; there the lock of folder-lock.ts decides.
  if (owner.namespace !== (await pidNamespace())) return false
  return (await processMark(owner.pid)) === owner.mark
}

const claimFile = (folder: string, number: number) => join(folder, `owner.${number}.json`)

async function listClaims(folder: string): Promise<number[]> {
  const numbers = (await readdir(folder)).map((name) => Number(/^owner\.(\d+)\.json$/.exec(name)?.[1] ?? Number.NaN))
  return numbers.filter((number) => !Number.isNaN(number)).sort((a, b) => a - b)
}

async function readHighest(folder: string): Promise<{ highest: number; owner: Owner | undefined }> {
  const highest = (await listClaims(folder)).at(-1) ?? 0
  return { highest, owner: highest > 0 ? await readOwner(folder, highest) : undefined }
}

async function readOwner(folder: string, number: number): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(claimFile(folder, number), 'utf8')) as Owner
  } catch (error) {
    // Claims appear whole, so an unreadable one is what a power cut left of it.
    if (error instanceof SyntaxError || isErrno(error, 'ENOENT')) return undefined
    throw error
  }
}

async function addClaim(folder: string, number: number, owner: Owner): Promise<boolean> {
  const whole = await writeAside(folder, owner)
  try {
    await link(whole, claimFile(folder, number))
    return true
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    throw error
  } finally {
    await unlink(whole)
  }
}

async function replaceFile(folder: string, file: string, owner: Owner): Promise<void> {
  await rename(await writeAside(folder, owner), file)
}

async function writeAside(folder: string, owner: Owner): Promise<string> {
  const file = join(folder, `owner.new-${randomBytes(6).toString('hex')}`)
  await writeFile(file, `${JSON.stringify(owner)}\n`, { flag: 'wx', mode: 0o600 })
  await matchOwner(folder, file)
  return file
}

const ignoreMissing = (error: unknown): void => {
  if (!isErrno(error, 'ENOENT')) throw error
}
