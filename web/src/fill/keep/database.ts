// The database in the browser. Steps are added at the end and never changed: a browser may come with any of them.
import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from 'idb'
import type { Filled, KeptForm } from './types'

export interface Tables extends DBSchema {
  forms: { key: number; value: KeptForm; indexes: { address: [string, string, string] } }
  /** Bytes of files that go with forms, each once. */
  files: { key: string; value: { hash: string; blob: Blob; keptAt: number } }
  filled: { key: string; value: Filled; indexes: { whose: string } }
  /** Apart from their form, so that a word more writes no picture again. */
  pictures: { key: [string, string]; value: { filled: string; name: string; blob: Blob } }
  /** Small things by their name. */
  notes: { key: string; value: string }
}

export type Database = IDBPDatabase<Tables>
type Change = IDBPTransaction<Tables, StoreNames<Tables>[], 'versionchange'>

const steps: readonly ((db: Database, change: Change) => void)[] = [
  (db) => {
    db.createObjectStore('forms', { keyPath: 'id', autoIncrement: true }).createIndex('address', [
      'whose',
      'door',
      'formId',
    ])
    db.createObjectStore('files', { keyPath: 'hash' })
    db.createObjectStore('filled', { keyPath: 'id' }).createIndex('whose', 'whose')
    db.createObjectStore('pictures', { keyPath: ['filled', 'name'] })
    db.createObjectStore('notes')
  },
]

const databaseName = 'sheaf-fill'

/** What a browser that has done `done` steps still has to do. */
export const upgrade = (db: Database, done: number, change: Change, all = steps): void => {
  for (const step of all.slice(done)) step(db, change)
}

let opened: Promise<Database> | undefined

const isTooNew = (error: unknown): boolean => error instanceof DOMException && error.name === 'VersionError'

const open = (version: number | undefined): Promise<Database> =>
  openDB<Tables>(databaseName, version, {
    upgrade: (db, done, _, change) => upgrade(db, done, change),
    // Another tab has a newer program: it is let through, and this one opens again what there is then.
    blocking: (_, __, event) => {
      opened = undefined
      ;(event.target as IDBDatabase).close()
    },
    terminated: () => {
      opened = undefined
    },
  })

/** Rejects where the browser keeps nothing. */
export const database = (): Promise<Database> => {
  opened ??= open(steps.length)
    // A tab with a newer program has been here. Its tables have all that ours have.
    .catch((error: unknown) => (isTooNew(error) ? open(undefined) : Promise.reject(error)))
    .catch((error: unknown) => {
      opened = undefined
      throw error
    })
  return opened
}

/** On the disk when it resolves, also if the device loses its power in the next moment. */
export const safely = { durability: 'strict' } as const

/** Firefox and Safari say it in other names. */
export const isFull = (error: unknown): boolean =>
  error instanceof DOMException && /quota/i.test(`${error.name} ${error.message}`)
