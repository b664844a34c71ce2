// A linked file is made when its source has a new state: once, by one of all processes, however many phones ask. What was
// announced is what is served, whatever happens to the records meanwhile.
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Deps } from '../../platform/deps.js'
import type { Files } from '../../platform/files/index.js'
import { defineJob } from '../../platform/jobs/index.js'
import { dropUploads, storeUpload, takeFiles } from '../uploads/index.js'
import {
  claimMaking,
  dropOfNobody,
  dropOldest,
  type FileState,
  findLasting,
  findMade,
  finishMaking,
  giveUpClaim,
  type MadeFile,
  renewClaim,
} from './linked-files.queries.js'

/** Of one link: what was announced before the last changes may be on its way to phones. */
const keptFiles = 10
/** Somebody else makes it: so often is it asked for. */
const askEveryMs = 100
/** A process that was killed renews nothing. */
const renewEveryMs = 5000
const staleAfterMs = 20_000
/** A long file is not made anew at every change. Ten megabytes are made in about a second, and hold for ten: a tenth of the
 * time goes into it at the most. */
const lasting = { longBytes: 1_000_000, bytesPerSecond: 1_000_000 }

/** The bytes of the present state; undefined where no file can be made of it. */
type Write = () => Promise<AsyncIterable<Buffer | string> | undefined>

async function* asBytes(pieces: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) yield typeof piece === 'string' ? Buffer.from(piece) : piece
}

/** Undefined: another process is at it. */
const makeHere = async (deps: Deps, file: FileState, write: Write): Promise<MadeFile | 'nothing' | undefined> => {
  const { db, clock } = deps
  const claim = { ...file, claim: randomUUID() }
  const now = clock.now()
  if (!(await claimMaking(db, { ...claim, now }, new Date(now.getTime() - staleAfterMs)))) return undefined
  const renewing = setInterval(() => {
    renewClaim(db, { ...claim, now: clock.now() }).catch((err) => deps.log.warn({ err }, 'a claim was not renewed'))
  }, renewEveryMs)
  let made: MadeFile | undefined
  try {
    const pieces = await write()
    if (pieces === undefined) {
      await giveUpClaim(db, { ...claim, now })
      return 'nothing'
    }
    const stored = await storeUpload(deps, asBytes(pieces), { folder: 'linked' })
    made = stored
    const isOurs = await db.transaction(async (tx) => {
      const done = { ...claim, now: clock.now() }
      if (!(await finishMaking(tx, done, stored))) return false
      await takeFiles(tx, [stored.key])
      await dropOldest(tx, file.entryId, keptFiles)
      return true
    })
    if (isOurs) return stored
    await dropUploads(deps, [stored.key], undefined)
    return undefined
  } catch (error) {
    if (made !== undefined) await dropUploads(deps, [made.key], error)
    await giveUpClaim(db, { ...claim, now })
    throw error
  } finally {
    clearInterval(renewing)
  }
}

const findOrMake = async (deps: Deps, file: FileState, write: Write): Promise<MadeFile | undefined> => {
  const present = await findLasting(deps.db, file.entryId, { ...lasting, now: deps.clock.now() })
  if (present !== undefined) return present
  for (;;) {
    const found = (await findMade(deps.db, file)) ?? (await makeHere(deps, file, write))
    if (found === 'nothing') return undefined
    if (found !== undefined) return found
    await setTimeout(askEveryMs)
  }
}

type Making = Promise<MadeFile | undefined>

const running = new WeakMap<Files, Map<string, Making>>()

/** Undefined where none can be made. What this process makes already is waited for. */
export const linkedFile = async (deps: Deps, file: FileState, write: Write): Making => {
  const found = await findMade(deps.db, file)
  if (found !== undefined) return found
  const here = running.get(deps.files) ?? new Map<string, Making>()
  running.set(deps.files, here)
  const key = `${file.entryId} ${file.state}`
  const making = here.get(key) ?? findOrMake(deps, file, write).finally(() => here.delete(key))
  here.set(key, making)
  return making
}

const purgeJob = defineJob<object>('linked_data.purge', { maxAttempts: 1 })

export const linkedDataJobs = ({ db, jobs }: Deps): void => {
  jobs.handle(purgeJob, async () => {
    await dropOfNobody(db)
  })
  jobs.schedule(purgeJob, '29 3 * * *')
}
