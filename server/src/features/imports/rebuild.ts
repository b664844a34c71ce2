// Deriving records again from the XML as it was received, and telling what is stored otherwise. There is nothing to tell
// unless somebody has changed the tables, or a newer release reads XML differently.

import { isDeepStrictEqual } from 'node:util'
import { shortened } from '@sheaf/xlsform/text'
import { InstanceMalformed, parseInstance } from '../../formats/instance/index.js'
import { takingTurns } from '../../formats/turns/index.js'
import type { Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { type FormModels, formModels } from '../forms/index.js'
import {
  arrivalOf,
  correctionSlot,
  type Derived,
  derive,
  moveCounts,
  repairRecords,
  repairVersions,
  settleRecordFiles,
} from '../submissions/index.js'
import {
  type FormerVersion,
  listRecordsAfter,
  listVersionsAfter,
  type StoredRecord,
  type StoredVersion,
} from './rebuild.queries.js'

export interface Difference {
  readonly id: number
  /** Of a former version: which one. */
  readonly history?: number
  readonly field: string
  readonly stored: unknown
  readonly derived: unknown
}

export interface Rebuild {
  readonly records: number
  readonly versions: number
  /** The first hundred. */
  readonly differences: readonly Difference[]
  /** Records and versions that have any. */
  readonly different: number
  readonly repaired: number
}

const mostShown = 100
const longestShown = 2000

const comparable = ['version', 'rootName', 'duration', 'latitude', 'longitude'] as const
const columnNames: Readonly<Record<string, string>> = { rootName: 'root_name' }

/** An answer may be called `constructor`, and only one of both may have it. */
const ownOf = (from: Record<string, unknown>, key: string): unknown =>
  Object.hasOwn(from, key) ? from[key] : undefined

/** Of answers, those that differ. */
const answerDifference = (stored: Record<string, unknown>, derived: Record<string, unknown>) => {
  const keys = [...new Set([...Object.keys(stored), ...Object.keys(derived)])]
  const different = keys.filter((key) => !isDeepStrictEqual(ownOf(stored, key), ownOf(derived, key)))
  const pick = (from: Record<string, unknown>) =>
    Object.fromEntries(different.flatMap((key) => (Object.hasOwn(from, key) ? [[key, from[key]]] : [])))
  return { field: 'answers', stored: pick(stored), derived: pick(derived) }
}

const differencesOf = (stored: StoredVersion & Partial<StoredRecord>, derived: Derived): Omit<Difference, 'id'>[] => {
  const found: Omit<Difference, 'id'>[] = []
  const [before, after] = [JSON.parse(stored.answers), JSON.parse(derived.answers)]
  if (!isDeepStrictEqual(before, after)) found.push(answerDifference(before, after))
  for (const field of comparable) {
    const value = stored[field]
    if (value !== undefined && value !== derived[field]) {
      found.push({ field: columnNames[field] ?? field, stored: value, derived: derived[field] })
    }
  }
  if (stored.mediaTotal !== undefined && stored.mediaTotal !== derived.media.size) {
    found.push({ field: 'media_total', stored: stored.mediaTotal, derived: derived.media.size })
  }
  return found
}

/** What is shown of a value is bounded: an answer may have megabytes. */
const shown = (value: unknown): unknown => {
  const text = JSON.stringify(value) ?? 'null'
  return text.length <= longestShown ? value : shortened(text, longestShown + 1)
}

class Rebuilder {
  readonly differences: Difference[] = []
  records = 0
  versions = 0
  different = 0
  repaired = 0
  readonly #deps: Deps
  readonly #db: Db
  readonly #models: FormModels
  readonly #formId: number
  readonly #pause = takingTurns()

  constructor(deps: Deps, db: Db, formId: number) {
    this.#deps = deps
    this.#db = db
    this.#models = formModels(deps.db)
    this.#formId = formId
  }

  async visitRecords(isRepairing: boolean): Promise<void> {
    for (let after = 0; ; ) {
      const page = await listRecordsAfter(this.#db, this.#formId, after)
      if (page.length === 0) return
      this.records += page.length
      const wrong = await this.#compare(page, () => ({}))
      if (isRepairing && wrong.length > 0) await this.#repairRecords(wrong)
      after = page.at(-1)?.id ?? after
    }
  }

  async visitVersions(isRepairing: boolean): Promise<void> {
    for (let after = { id: 0, number: 0 }; ; ) {
      const page = await listVersionsAfter(this.#db, this.#formId, after)
      if (page.length === 0) return
      this.versions += page.length
      const wrong = await this.#compare(page, ({ number }) => ({ history: number }))
      if (isRepairing && wrong.length > 0) await this.#repairVersions(wrong)
      after = page.at(-1) ?? after
    }
  }

  async #derive({ xml, modelNumber }: StoredVersion): Promise<Derived | undefined> {
    const definition = await this.#models.find(this.#db, this.#formId, modelNumber)
    if (definition === undefined) return undefined
    const { number, model, fields } = definition
    try {
      return derive(arrivalOf(xml, parseInstance(xml)), { number, version: model.version ?? '', fields })
    } catch (error) {
      if (error instanceof InstanceMalformed) return undefined
      throw error
    }
  }

  async #compare<T extends StoredVersion>(
    page: readonly T[],
    place: (stored: T) => { history?: number },
  ): Promise<{ stored: T; derived: Derived }[]> {
    const wrong: { stored: T; derived: Derived }[] = []
    for (const stored of page) {
      await this.#pause()
      const derived = await this.#derive(stored)
      const found =
        derived === undefined
          ? [{ field: 'xml', stored: stored.xml, derived: null }]
          : differencesOf(stored as StoredVersion & Partial<StoredRecord>, derived)
      if (found.length === 0) continue
      this.different += 1
      for (const one of found.slice(0, mostShown - this.differences.length)) {
        const values = { stored: shown(one.stored), derived: shown(one.derived) }
        this.differences.push({ id: stored.id, ...place(stored), field: one.field, ...values })
      }
      if (derived !== undefined) wrong.push({ stored, derived })
    }
    return wrong
  }

  async #repairRecords(wrong: readonly { stored: StoredRecord; derived: Derived }[]): Promise<void> {
    const now = this.#deps.clock.now()
    await this.#db.transaction(async (tx) => {
      const rows = wrong.map(({ stored: { id, changeNo }, derived }) => ({
        ...derived,
        id,
        changeNo,
        mediaTotal: derived.media.size,
      }))
      const repaired = await repairRecords(tx, this.#formId, rows, now)
      const live = wrong.filter(({ stored }) => repaired.has(stored.id) && !stored.isDeleted)
      await this.#settle(tx, live, now)
      this.repaired += repaired.size
    })
  }

  /** What hangs on the version and on the files. */
  async #settle(tx: Db, repaired: readonly { stored: StoredRecord; derived: Derived }[], now: Date): Promise<void> {
    const moves = repaired.map(({ stored, derived }) => ({
      from: stored.version,
      to: derived.version,
      hasPlace: derived.latitude !== null,
    }))
    if (moves.length > 0) await moveCounts(tx, this.#formId, correctionSlot, moves)
    const refiled = repaired
      .filter(({ stored, derived }) => stored.mediaTotal !== derived.media.size)
      .map(({ stored: { id }, derived: { media } }) => ({ id, media }))
    await settleRecordFiles(tx, this.#formId, refiled, { preference: 'shown', now })
  }

  async #repairVersions(wrong: readonly { stored: FormerVersion; derived: Derived }[]): Promise<void> {
    const rows = wrong.map(({ stored: { id, number }, derived }) => ({ ...derived, id, number }))
    this.repaired += await repairVersions(this.#db, this.#formId, rows)
  }
}

/** Changes nothing unless it is asked to repair. `db` may be somebody's snapshot. */
export const rebuildRecords = async (
  deps: Deps,
  formId: number,
  isRepairing: boolean,
  db: Db = deps.db,
): Promise<Rebuild> => {
  const rebuilder = new Rebuilder(deps, db, formId)
  await rebuilder.visitRecords(isRepairing)
  await rebuilder.visitVersions(isRepairing)
  const { records, versions, differences, different, repaired } = rebuilder
  return { records, versions, differences, different, repaired }
}
