// Definitions as the program reads records by them. A version never changes what it asks, so what was read once holds.
import type { FormModel } from '@sheaf/xlsform'
import { LRUCache } from 'lru-cache'
import { type FormFields, fieldsOf } from '../../formats/form/index.js'
import type { Database, Db } from '../../platform/db/index.js'
import { findModelText, findVersionNumber, listVersions } from './form-versions.queries.js'

export interface Definition {
  readonly number: number
  readonly model: FormModel
  readonly fields: FormFields
}

/** A form of 5,000 questions is about 3 MB of text. */
const cacheBytes = 64 * 1024 * 1024

export class FormModels {
  readonly #known = new LRUCache<string, Definition>({ maxSize: cacheBytes })
  readonly #numbers = new LRUCache<string, number>({ max: 10_000 })

  /** Undefined when there is no such version. */
  async find(db: Db, formId: number, number: number): Promise<Definition | undefined> {
    const key = `${formId}:${number}`
    const found = this.#known.get(key)
    if (found !== undefined) return found
    const row = await findModelText(db, formId, number)
    if (row === undefined) return undefined
    const model = JSON.parse(row.text) as FormModel
    const definition = { number, model, fields: fieldsOf(model) }
    this.#known.set(key, definition, { size: row.text.length })
    return definition
  }

  async get(db: Db, formId: number, number: number): Promise<Definition> {
    const definition = await this.find(db, formId, number)
    if (definition === undefined) throw new Error(`The form ${formId} has no version number ${number}`)
    return definition
  }

  /** The number of a version by its text. A version is never taken away, so what was found once holds; what was not
   * found may be published later. */
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
    return Promise.all(versions.map(({ number }) => this.get(db, formId, number)))
  }
}

const modelsOf = new WeakMap<Database, FormModels>()

/** The cache of a process, shared by the rooms that read records. */
export const formModels = (db: Database): FormModels => {
  const known = modelsOf.get(db) ?? new FormModels()
  modelsOf.set(db, known)
  return known
}
