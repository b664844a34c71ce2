// What somebody typed and has not saved: kept in this browser, each editing in a place of its own, until it is saved or thrown away.
import type { RawSheet } from '@sheaf/xlsform/sheets'
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { username } from '@/api'
import type { SavedAs } from '@/api/editor'

/** Of a form, or of one that is being made in a project, by the uuid that it will have. */
export type WorkOf = { readonly form: number } | { readonly project: number; readonly uuid: string }

export interface KeptWork {
  /** Of the editing: two of one form overwrite nothing of each other. */
  readonly id: string
  readonly of: WorkOf
  /** Where the form is or will be; 0 where nobody knows. */
  readonly project: number
  readonly sheets: readonly RawSheet[]
  /** What it was made of, and what the server calls that: whoever saves second is told, and merges by it. */
  readonly base: readonly RawSheet[]
  readonly savedAs: SavedAs
  /** Saves whose answer was lost: what is on the server may be one of them. */
  readonly sent?: readonly (readonly RawSheet[])[]
  readonly at: number
}

type Row = KeptWork & { readonly owner: string }

interface Schema extends DBSchema {
  works: { key: string; value: Row }
}

let opened: Promise<IDBPDatabase<Schema>> | undefined

const database = (): Promise<IDBPDatabase<Schema>> => {
  opened ??= openDB<Schema>('sheaf-editor', 2, {
    upgrade: async (db, before, _now, tx) => {
      const works = db.createObjectStore('works', { keyPath: 'id' })
      if (before === 0) return
      // One place for each form and project, by its key alone.
      const former = tx.objectStore('work' as never)
      for (let at = await former.openCursor(); at !== null; at = await at.continue()) {
        const [, owner, kind, number] = /^(.*)\/(form|project)-(\d+)$/.exec(String(at.key)) ?? []
        if (owner === undefined) continue
        const of = kind === 'form' ? { form: Number(number) } : { project: Number(number), uuid: newUuid() }
        await works.put({
          ...(at.value as Row),
          id: newUuid(),
          owner,
          of,
          project: kind === 'project' ? Number(number) : 0,
        })
      }
      db.deleteObjectStore('work' as never)
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

/** 32 hexadecimal digits, as forms have them. Pages over http to another machine have no `randomUUID`. */
export const newUuid = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

export const keyOf = (of: WorkOf): string =>
  `${username.value}/${'form' in of ? `form-${of.form}` : `project-${of.project}/${of.uuid}`}`

/** All of this person, the latest first. */
export const listWork = async (): Promise<KeptWork[]> => {
  try {
    const rows = await (await database()).getAll('works')
    return rows.filter(({ owner }) => owner === username.value).sort((one, other) => other.at - one.at)
  } catch {
    // A browser that keeps nothing has nothing.
    return []
  }
}

/** The latest: what another tab has left comes when this one is saved. */
export const findWork = async (of: WorkOf): Promise<KeptWork | undefined> =>
  (await listWork()).find((work) => keyOf(work.of) === keyOf(of))

/** False where this browser keeps nothing: it is full, or forbids it. `former`: what it goes on with, all of which is in it. */
export const keepWork = async (work: KeptWork, former: string | undefined): Promise<boolean> => {
  try {
    const tx = (await database()).transaction('works', 'readwrite')
    await tx.store.put({ ...work, owner: username.value ?? '' })
    if (former !== undefined) await tx.store.delete(former)
    await tx.done
    return true
  } catch {
    return false
  }
}

export const forgetWork = async (id: string): Promise<void> => {
  try {
    await (await database()).delete('works', id)
  } catch {
    // What was not kept need not be forgotten.
  }
}
