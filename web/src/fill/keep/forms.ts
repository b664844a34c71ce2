// Forms as they were given to somebody: the definition, and the files that go with it. The line is asked first, and not for long;
// what it says later is kept for the next form. A draft stays with the version that it was begun with.
import { type Database, database, isFull } from './database'
import { type Fetched, FormUnreachable, fetchBytes, fetchForm, type Listed } from './form-fetching'
import type { Filled, FormAddress, KeptForm } from './types'

export interface OpenedForm {
  readonly form: KeptForm
  readonly isFromNetwork: boolean
  /** Another version, when the server had one after all. It is used for the next form. */
  readonly newer: Promise<KeptForm | undefined>
}

/** On a bad line a copy at hand is worth more than a newer one in a minute. */
const patienceMilliseconds = 3000

const latest = async (db: Database, { whose, door, formId }: FormAddress): Promise<KeptForm | undefined> => {
  const versions = await db.getAllFromIndex('forms', 'address', [whose, door, formId])
  return versions.at(-1)
}

const isSame = (form: KeptForm, { xml, files }: Fetched): boolean =>
  form.xml === xml &&
  form.files.length === files.length &&
  files.every(({ name, hash }) => form.files.some((file) => file.name === name && file.hash === hash))

/** Files that are not here yet. Throws where the line is lost on the way: a version is whole or not there. */
const keepFiles = async (db: Database, files: readonly Listed[]): Promise<void> => {
  for (const { hash, path } of files) {
    if ((await db.getKey('files', hash)) !== undefined) continue
    const blob = await fetchBytes(path)
    if (blob !== undefined) await db.put('files', { hash, blob, keptAt: Date.now() })
  }
}

/** Versions that no draft needs, and bytes that no version needs. */
const forgetOld = async (db: Database, address: FormAddress, current: number): Promise<void> => {
  const needed = new Set(
    (await db.getAll('filled')).filter(({ state }) => state !== 'sent').map(({ formKey }) => formKey),
  )
  const versions = await db.getAllFromIndex('forms', 'address', [address.whose, address.door, address.formId])
  for (const { id } of versions) if (id !== current && !needed.has(id)) await db.delete('forms', id)
  await forgetFiles(db)
}

/** What another tab has just fetched has no version yet. */
const fetchingMilliseconds = 3_600_000

export const forgetFiles = async (db: Database, before = Date.now() - fetchingMilliseconds): Promise<void> => {
  const change = db.transaction(['forms', 'files'], 'readwrite')
  const used = new Set(
    (await change.objectStore('forms').getAll()).flatMap(({ files }) => files.map(({ hash }) => hash)),
  )
  for (let at = await change.objectStore('files').openCursor(); at !== null; at = await at.continue()) {
    if (!used.has(at.value.hash) && at.value.keptAt < before) await at.delete()
  }
  await change.done
}

const keep = async (address: FormAddress, fetched: Fetched): Promise<KeptForm> => {
  const { xml, title, version, files: listed } = fetched
  const files = listed.map(({ name, hash }) => ({ name, hash }))
  const made = { ...address, xml, title, version, files, keptAt: Date.now() }
  try {
    const db = await database()
    const known = await latest(db, address)
    await keepFiles(db, listed).catch((error: unknown) => {
      if (known !== undefined || isFull(error)) throw error
    })
    if (known !== undefined && isSame(known, fetched)) return known
    // The key is given by the database.
    const id = await db.add('forms', made as unknown as KeptForm)
    await forgetOld(db, address, id)
    return { ...made, id }
  } catch (error) {
    if (error instanceof FormUnreachable) throw error
    // A form can be filled in and sent where the browser keeps nothing.
    return { ...made, id: 0 }
  }
}

const find = async (address: FormAddress): Promise<KeptForm | undefined> => {
  try {
    return await latest(await database(), address)
  } catch {
    return undefined
  }
}

const later = (milliseconds: number): Promise<undefined> =>
  new Promise((resolve) => setTimeout(() => resolve(undefined), milliseconds))

/** Throws a `FormRefused` where the server says no, and what the line said where there is neither a line nor a copy. */
export const openForm = async (address: FormAddress): Promise<OpenedForm> => {
  const { whose, door, formId } = address
  const own = { whose, door, formId }
  const asked = fetchForm(own).then((fetched) => keep(own, fetched))
  asked.catch(() => undefined)
  const copy = await find(own)
  if (copy === undefined) return { form: await asked, isFromNetwork: true, newer: Promise.resolve(undefined) }
  const come = await Promise.race([asked.catch(isLineLost), later(patienceMilliseconds)])
  if (come !== undefined) return { form: come, isFromNetwork: true, newer: Promise.resolve(undefined) }
  const newer = asked.then((form) => (form.id === copy.id ? undefined : form)).catch(() => undefined)
  return { form: copy, isFromNetwork: false, newer }
}

/** A server that says no is heard: the form may have been taken away. Anything else is the line. */
const isLineLost = (error: unknown): undefined => {
  if (error instanceof Error && error.name === 'FormRefused') throw error
  return undefined
}

/** Undefined where it was cleared meanwhile: then the draft opens with the newest version. */
export const formOfDraft = async ({ formKey }: Filled): Promise<KeptForm | undefined> =>
  (await database()).get('forms', formKey)

/** For the renderer, which asks for `jr://images/pic.png`. */
export const formFile = async (form: KeptForm, address: string | URL): Promise<Response> => {
  const name = decodeURIComponent(String(address).split('/').at(-1) ?? '')
  const file = form.files.find((one) => one.name === name)
  const missing = new Response('', { status: 404 })
  if (file === undefined) return missing
  const kept = await database()
    .then((db) => db.get('files', file.hash))
    .catch(() => undefined)
  if (kept !== undefined) return new Response(kept.blob)
  const { files } = await fetchForm(form).catch(() => ({ files: [] as readonly Listed[] }))
  const listed = files.find((one) => one.name === name)
  const blob = listed === undefined ? undefined : await fetchBytes(listed.path).catch(() => undefined)
  return blob === undefined ? missing : new Response(blob)
}
