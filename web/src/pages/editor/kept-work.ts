// What somebody typed and has not saved: kept in this browser, for each form and account, until it is saved or thrown away.
import type { RawSheet } from '@sheaf/xlsform/sheets'
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { username } from '@/api'
import type { SavedAs } from '@/api/editor'

export interface KeptWork {
  readonly sheets: readonly RawSheet[]
  /** What it was made of, and what the server calls that: whoever saves second is told, and merges by it. */
  readonly base: readonly RawSheet[]
  readonly savedAs: SavedAs
  readonly at: number
}

interface Schema extends DBSchema {
  work: { key: string; value: KeptWork }
}

let opened: Promise<IDBPDatabase<Schema>> | undefined

const database = (): Promise<IDBPDatabase<Schema>> => {
  opened ??= openDB<Schema>('sheaf-editor', 1, {
    upgrade: (db) => {
      db.createObjectStore('work')
    },
    // Another tab has a newer program, or the browser threw the database away: the next call opens it anew.
    terminated: () => {
      opened = undefined
    },
    blocking: (_now, _next, event) => {
      ;(event.target as IDBDatabase).close()
      opened = undefined
    },
  }).catch((error: unknown) => {
    opened = undefined
    throw error
  })
  return opened
}

/** Of a form, or of one that is being made in a project. */
export type WorkOf = { readonly form: number } | { readonly project: number }

export const keyOf = (of: WorkOf): string =>
  `${username.value}/${'form' in of ? `form-${of.form}` : `project-${of.project}`}`

export const findWork = async (of: WorkOf): Promise<KeptWork | undefined> => {
  try {
    return await (await database()).get('work', keyOf(of))
  } catch {
    // A browser that keeps nothing has nothing.
    return undefined
  }
}

/** False where this browser keeps nothing: it is full, or forbids it. */
export const keepWork = async (of: WorkOf, work: KeptWork): Promise<boolean> => {
  try {
    await (await database()).put('work', work, keyOf(of))
    return true
  } catch {
    return false
  }
}

export const forgetWork = async (of: WorkOf): Promise<void> => {
  try {
    await (await database()).delete('work', keyOf(of))
  } catch {
    // What was not kept need not be forgotten.
  }
}
