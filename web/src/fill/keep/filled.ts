// Rows of filled forms with their pictures: written together, read by whom they belong to.
import { type Database, database, safely } from './database'
import { isByKey } from './form-fetching'
import { marks } from './marks'
import { tellChanged } from './news'
import type { Filled, FormAddress, Picture } from './types'

export const picturesOf = async (id: string): Promise<Picture[]> => {
  const rows = await (await database()).getAll('pictures', IDBKeyRange.bound([id], [id, []]))
  return rows.map(({ name, blob }) => ({ name, blob }))
}

export interface Writing {
  /** Pictures that were written before and are the same. The store says whether it still has them: a browser may be cleared. */
  readonly known?: ReadonlySet<string>
  /** Pictures that the answers do not name go. Before it is finished they stay: a question that is hidden may be shown again. */
  readonly isFinished?: boolean
}

/** Another tab has gone on with it. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken'
}

export const nextRevision = ({ revision = 0 }: Filled): number => revision + 1

/** All of it or nothing. Throws an `Overtaken` where what lies there is as new as this. */
export const write = async (filled: Filled, pictures: readonly Picture[], how: Writing = {}): Promise<void> => {
  const change = (await database()).transaction(['filled', 'pictures'], 'readwrite', safely)
  const store = change.objectStore('pictures')
  const there = await change.objectStore('filled').get(filled.id)
  if (there !== undefined && nextRevision(there) > (filled.revision ?? 0)) throw new Overtaken()
  const keys = await store.getAllKeys(IDBKeyRange.bound([filled.id], [filled.id, []]))
  const kept = new Set(keys.map(([, name]) => name))
  const fresh = pictures.filter(({ name }) => !kept.has(name) || !how.known?.has(name))
  const typed = filled.all ?? filled.xml
  const isNamed = (name: string) => typed.includes(name) || pictures.some((one) => one.name === name)
  const gone = how.isFinished ? keys.filter(([, name]) => !isNamed(name)) : []
  await Promise.all([
    change.objectStore('filled').put(filled),
    ...fresh.map(({ name, blob }) => store.put({ filled: filled.id, name, blob })),
    ...gone.map((key) => store.delete(key)),
    change.done,
  ])
}

/** What it is now, changed; nothing where it is gone. */
export const update = async (id: string, to: (now: Filled) => Filled | undefined): Promise<Filled | undefined> => {
  const change = (await database()).transaction('filled', 'readwrite', safely)
  const now = await change.store.get(id)
  const next = now === undefined ? undefined : to(now)
  if (next !== undefined) await change.store.put(next)
  await change.done
  return next
}

export const find = async (id: string): Promise<Filled | undefined> => (await database()).get('filled', id)

export const listAll = async (): Promise<Filled[]> => {
  const all = await (await database()).getAll('filled')
  return all.sort((one, other) => one.madeAt - other.madeAt)
}

/** Theirs, and those that were filled in without an account on this device. */
export const isSeenBy = (filled: Filled, username: string): boolean => filled.whose === username || filled.whose === ''

/** What this person sees, the latest first. */
export const listFilled = async (username: string): Promise<Filled[]> =>
  (await listAll())
    .filter((one) => isSeenBy(one, username) && one.state !== 'discarded')
    .sort((one, other) => other.changedAt - one.changedAt)

const isUnsent = ({ state }: Filled): boolean => state !== 'sent' && state !== 'discarded'

/** How many lie here for people who are not signed in now. */
export const countOthers = async (username: string): Promise<number> =>
  (await listAll()).filter((one) => !isSeenBy(one, username) && isUnsent(one)).length

/** How many of theirs have not been sent. */
export const countUnsent = async (username: string): Promise<number> =>
  (await listAll()).filter((one) => one.whose === username && isUnsent(one)).length

/** The number says which form it is, whatever its account is called; of a key only what was begun by it. */
const isAt = (one: FormAddress, { door, formId, whose }: FormAddress): boolean =>
  one.whose === whose && one.formId === formId && (one.door === door || !(isByKey(one.door) || isByKey(door)))

/** To go on with when the form is opened. */
export const draftsOf = async (address: FormAddress): Promise<Filled[]> =>
  (await listFilled(address.whose)).filter((one) => one.state === 'draft' && isAt(one, address))

export const discard = async (id: string): Promise<void> => {
  await update(id, (now) => ({ ...now, state: 'discarded', before: now.state, changedAt: Date.now() }))
  tellChanged()
}

/** It may have arrived after all, while it was being discarded: then there is nothing to have back. */
export const restore = async (id: string): Promise<void> => {
  await update(id, ({ before, ...now }) =>
    now.state === 'discarded' ? { ...now, state: before ?? 'draft' } : undefined,
  )
  tellChanged()
}

/** Somebody filled it in without an account, and the form wants to know who: it becomes theirs. */
export const adopt = async (id: string, username: string): Promise<void> => {
  await update(id, (now) => (now.whose === '' ? { ...now, whose: username, state: 'waiting', nextAt: 0 } : undefined))
  tellChanged()
}

const drop = async (db: Database, id: string, keepsRow?: Filled): Promise<void> => {
  const change = db.transaction(['filled', 'pictures'], 'readwrite', safely)
  if (keepsRow === undefined) await change.objectStore('filled').delete(id)
  else await change.objectStore('filled').put(keepsRow)
  await change.objectStore('pictures').delete(IDBKeyRange.bound([id], [id, []]))
  await change.done
}

/** It has arrived: what was typed and its pictures go, that it was sent stays for a while. */
export const markSent = async (filled: Filled): Promise<void> => {
  const { reason: _, all: __, ...rest } = filled
  await drop(await database(), filled.id, {
    ...rest,
    state: 'sent',
    xml: '',
    changedAt: Date.now(),
    isUncertain: false,
  })
  marks.forget(filled.instanceId)
  tellChanged()
}

/** What arrived while that could not be written down is no draft any more. */
export const settleArrived = async (): Promise<void> => {
  for (const row of await listAll()) {
    if (row.state === 'draft' && marks.of(row.instanceId) === 'arrived') await markSent(row)
  }
}

const day = 86_400_000
/** Long enough to look whether it was sent, or to want it back. */
const shownDays = { sent: 14, discarded: 1 }

/** Rows of what was sent or discarded long ago. */
export const forgetPast = async (now = Date.now()): Promise<void> => {
  const db = await database()
  for (const { id, state, changedAt } of await db.getAll('filled')) {
    if ((state === 'sent' || state === 'discarded') && now - changedAt > shownDays[state] * day) await drop(db, id)
  }
}
