// Definitions by which records are read. A version never changes what it asks, so what was read once is kept.
import type { FormModel } from '@sheaf/xlsform/form'
import { LRUCache } from 'lru-cache'
import { type FormFields, fieldsOf } from '../../../formats/form/index.js'
import type { Database, Db } from '../../../platform/db/index.js'
import { readModelText } from './model-text.js'
import {
  findModelText,
  findVersionNumber,
  listModelTexts,
  listVersionKeys,
  listVersions,
  type VersionKey,
} from './versions.queries.js'

export interface Definition {
  readonly number: number
  readonly model: FormModel
  readonly fields: FormFields
}

/** A form of 5,000 questions is about 3 MB of text. */
const cacheBytes = 64 * 1024 * 1024

const cacheKey = ({ formId, number }: VersionKey): string => `${formId}:${number}`

export class FormModels {
  readonly #known = new LRUCache<string, Definition>({ maxSize: cacheBytes })
  readonly #underway = new Map<string, Promise<Definition | undefined>>()
  readonly #numbers = new LRUCache<string, number>({ max: 10_000 })

  /** Undefined when there is no such version. */
  async find(db: Db, formId: number, number: number): Promise<Definition | undefined> {
    const key = cacheKey({ formId, number })
    for (;;) {
      const found = this.#known.get(key)
      if (found !== undefined) return found
      const underway = this.#underway.get(key)
      if (underway === undefined) break
      // Whoever asked first may have failed, or may not see a version that is still being written: it is asked for again.
      const read = await underway.catch(() => undefined)
      if (read !== undefined) return read
    }
    return this.#once(key, async () => {
      const row = await findModelText(db, formId, number)
      return row === undefined ? undefined : this.#read({ formId, number, text: row.text })
    })
  }

  /** Those who ask meanwhile wait for the same answer: the text of a large form is tens of megabytes. */
  async #once(key: string, read: () => Promise<Definition | undefined>): Promise<Definition | undefined> {
    const work = read()
    this.#underway.set(key, work)
    try {
      return await work
    } finally {
      this.#underway.delete(key)
    }
  }

  async #read({ formId, number, text }: VersionKey & { text: string }): Promise<Definition> {
    const model = (await readModelText(text)) as FormModel
    const definition = { number, model, fields: fieldsOf(model) }
    this.#known.set(cacheKey({ formId, number }), definition, { size: text.length })
    return definition
  }

  async get(db: Db, formId: number, number: number): Promise<Definition> {
    const definition = await this.find(db, formId, number)
    if (definition === undefined) throw new Error(`The form ${formId} has no version number ${number}`)
    return definition
  }

  /** The number of a version by its text. A version is never removed, so a found number is kept; one that is missing may
   * be published later. */
  async numberOf(db: Db, formId: number, version: string): Promise<number | undefined> {
    const key = `${formId}:${version}`
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const number = await findVersionNumber(db, formId, version)
    if (number !== undefined) this.#numbers.set(key, number)
    return number
  }

  /** Every definition that the form has had, oldest first. */
  async all(db: Db, formId: number): Promise<Definition[]> {
    const versions = await listVersions(db, formId)
    const found = await this.#these(
      db,
      versions.map(({ number }) => ({ formId, number })),
    )
    return versions.flatMap(({ number }) => found.get(cacheKey({ formId, number })) ?? [])
  }

  /** The same for several forms. */
  async allOf(db: Db, formIds: readonly number[]): Promise<Map<number, Definition[]>> {
    const keys = formIds.length === 0 ? [] : await listVersionKeys(db, formIds)
    const found = await this.#these(db, keys)
    const definitions = new Map<number, Definition[]>(formIds.map((id) => [id, []]))
    for (const key of keys) {
      const definition = found.get(cacheKey(key))
      if (definition !== undefined) definitions.get(key.formId)?.push(definition)
    }
    return definitions
  }

  /** For each of these forms the version that is asked for, by form: one statement for however many, none for what is known. */
  async oneOf(db: Db, keys: readonly VersionKey[]): Promise<Map<number, Definition>> {
    const found = await this.#these(db, keys)
    return new Map(
      keys.flatMap((key) => {
        const definition = found.get(cacheKey(key))
        return definition === undefined ? [] : [[key.formId, definition] as const]
      }),
    )
  }

  async #these(db: Db, keys: readonly VersionKey[]): Promise<Map<string, Definition>> {
    const known = keys.flatMap((key) => {
      const definition = this.#known.get(cacheKey(key))
      return definition === undefined ? [] : [[cacheKey(key), definition] as const]
    })
    const found = new Map(known)
    const unread = keys.filter((key) => !found.has(cacheKey(key)))
    const rows = unread.length === 0 ? [] : await listModelTexts(db, unread)
    for (const row of rows) found.set(cacheKey(row), await this.#read(row))
    // Long ones come one by one: together they would fill the memory.
    for (const { formId, number } of unread) {
      const key = cacheKey({ formId, number })
      const definition = found.has(key) ? undefined : await this.find(db, formId, number)
      if (definition !== undefined) found.set(key, definition)
    }
    return found
  }
}

const modelsOf = new WeakMap<Database, FormModels>()

/** The cache of a process, shared by the rooms that read records. */
export const formModels = (db: Database): FormModels => {
  const known = modelsOf.get(db.reserved) ?? new FormModels()
  modelsOf.set(db.reserved, known)
  return known
}
