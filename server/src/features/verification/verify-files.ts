// The files that rows name beside the files that are in the store: both come in the order of their keys and are read
// once, side by side.
import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import type { Deps } from '../../platform/deps.js'
import { FileMissing, type ListedFile } from '../../platform/files/index.js'
import { thumbnailEndings } from '../attachments/index.js'
import { fetched } from '../data/index.js'
import { type NamedFile, namedFiles, stillNamed } from './files.queries.js'
import type { Findings } from './findings.js'
import { takeSnapshot } from './verification.queries.js'

/** Clocks of the database and of the store may differ by this much. */
const skewMilliseconds = 5000
/** Made of the file before it, and removed with it. */
const madeOfOthers = [...thumbnailEndings, '.sha256']
const mostCandidates = 1000

interface Comparing {
  readonly deps: Deps
  readonly findings: Findings
  /** Reads every file whose hash is known. */
  readonly readsBytes: boolean
  readonly begunAt: Date
}

/** What was missing when the list passed its place; it may have been removed rightly meanwhile. */
class Missing {
  readonly #comparing: Comparing
  #candidates: NamedFile[] = []

  constructor(comparing: Comparing) {
    this.#comparing = comparing
  }

  async add(file: NamedFile): Promise<void> {
    this.#candidates.push(file)
    if (this.#candidates.length >= mostCandidates) await this.settle()
  }

  async settle(): Promise<void> {
    const { deps, findings } = this.#comparing
    const candidates = this.#candidates.splice(0)
    if (candidates.length === 0) return
    const named = await stillNamed(
      deps.db,
      candidates.map(({ key }) => key),
    )
    for (const { key, what } of candidates) {
      if (named.has(key) && !(await deps.files.exists(key))) {
        findings.add('file_missing', 1, [{ what: `${key}, ${what}` }])
      }
    }
  }
}

const hashOf = async ({ files }: Deps, key: string, algorithm: 'sha256' | 'md5'): Promise<string | undefined> => {
  const hash = createHash(algorithm)
  try {
    await pipeline((await files.get(key)).stream, hash)
  } catch (error) {
    if (error instanceof FileMissing) return undefined
    throw error
  }
  return hash.digest('hex')
}

const compareBytes = async ({ deps, findings, readsBytes }: Comparing, named: NamedFile, listed: ListedFile) => {
  if (named.isPending) return
  if (named.bytes !== null && named.bytes !== listed.bytes) {
    const what = `${named.key}, ${named.what}: ${named.bytes} bytes were received, there are ${listed.bytes}`
    findings.add('file_bytes', 1, [{ what }])
    return
  }
  const expected = named.sha256 ?? named.md5
  if (!readsBytes || expected === null) return
  const found = await hashOf(deps, named.key, named.sha256 === null ? 'md5' : 'sha256')
  if (found !== undefined && found !== expected) {
    findings.add('file_bytes', 1, [{ what: `${named.key}, ${named.what}: its hash is another` }])
  }
}

const originalOf = (key: string): string | undefined => {
  const ending = madeOfOthers.find((one) => key.endsWith(one))
  return ending === undefined ? undefined : key.slice(0, -ending.length)
}

/** Answers how many files are in the store, but for those on their way. */
const compare = async (comparing: Comparing, named: AsyncIterator<NamedFile>): Promise<number> => {
  const { deps, findings, begunAt } = comparing
  const missing = new Missing(comparing)
  let count = 0
  let lastListed = ''
  let lastNamed = ''
  let next = await named.next()
  /** Everything that is named before a key and was not listed. */
  const passUpTo = async (key: string | undefined): Promise<void> => {
    while (next.done !== true && (key === undefined || next.value.key < key)) {
      if (!next.value.isPending && next.value.key !== lastListed) await missing.add(next.value)
      lastNamed = next.value.key
      next = await named.next()
    }
  }
  for await (const listed of deps.files.list()) {
    if (listed.key < lastListed) throw new Error(`The store lists ${listed.key} after ${lastListed}`)
    await passUpTo(listed.key)
    lastListed = listed.key
    const isNamed = next.done !== true && next.value.key === listed.key
    let isOnItsWay = isNamed
    while (next.done !== true && next.value.key === listed.key) {
      isOnItsWay &&= next.value.isPending
      await compareBytes(comparing, next.value, listed)
      lastNamed = listed.key
      next = await named.next()
    }
    count += isOnItsWay ? 0 : 1
    // What arrived since the snapshot was written down since.
    const isNew = listed.modifiedAt.getTime() > begunAt.getTime() - skewMilliseconds
    if (!isNamed && !isNew && originalOf(listed.key) !== lastNamed) {
      findings.add('file_unnamed', 1, [{ what: `${listed.key}, ${listed.bytes} bytes` }])
    }
  }
  await passUpTo(undefined)
  await missing.settle()
  return count
}

export const verifyFiles = (
  deps: Deps,
  findings: Findings,
  { readsBytes, begunAt }: { readsBytes: boolean; begunAt: Date },
): Promise<number> =>
  deps.db.transaction(async (tx) => {
    await takeSnapshot(tx)
    return compare({ deps, findings, readsBytes, begunAt }, fetched<NamedFile>(tx, namedFiles))
  })
