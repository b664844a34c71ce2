// What versions are called: a version text names one definition, on phones too.
import type { Db } from '../../../platform/db/index.js'
import { listVersions } from './versions.queries.js'

const takenVersions = async (db: Db, formId: number): Promise<ReadonlySet<string>> =>
  new Set((await listVersions(db, formId)).map(({ version }) => version))

const firstFree = (taken: ReadonlySet<string>, wanted: string): string => {
  for (let number = 1; ; number++) {
    const version = number === 1 ? wanted : `${wanted}-${number}`
    if (!taken.has(version)) return version
  }
}

/** `v`, then `v-2`, `v-3` … */
export const freeVersion = async (db: Db, formId: number, wanted: string): Promise<string> =>
  firstFree(await takenVersions(db, formId), wanted)

/** Behind `v` and `v-2` comes `v-3`, not `v-2-2`. */
export const nextVersion = async (db: Db, formId: number, present: string): Promise<string> => {
  const taken = await takenVersions(db, formId)
  const stem = present.replace(/-\d{1,9}$/, '')
  return firstFree(taken, taken.has(stem) ? stem : present)
}
