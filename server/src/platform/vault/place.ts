// Where backups lie: a folder, a bucket, or one file. Each part of it is a store of files of its own, so that what is listed comes
// in the order of the keys in it.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Files, openFiles, parseFilesUrl } from '../files/index.js'
import { PlaceRefused } from './errors.js'
import { type Archive, createArchive, openArchive } from './tar.js'

export interface Place {
  /** One file is written once, and holds nothing of others. */
  readonly isArchive: boolean
  /** For people; without what opens it. */
  readonly name: string
  part(name: string): Promise<Files>
  /** When all of it is written. */
  finish(): Promise<void>
  close(): void
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )

/** What a place is called by in messages: an address may hold a secret. */
export const nameOfPlace = (url: string): string => {
  const location = parseFilesUrl(url)
  return location.kind === 's3' ? `s3://${location.bucket}/${location.prefix}` : location.path
}

/** `mode`: to write into, which makes a file anew, or to read from. */
export const openPlace = async (url: string, mode: 'write' | 'read'): Promise<Place> => {
  const location = parseFilesUrl(url)
  const name = nameOfPlace(url)
  if (location.kind === 's3') return openStores(name, (part) => openFiles(withPath(url, part), { folder: '' }))
  const { path } = location
  if (await isFile(path)) {
    if (mode === 'read') return openOne(name, await openArchive(path))
    throw new PlaceRefused(`${path} is there already: name another file, or a folder.`)
  }
  if (mode === 'write' && path.endsWith('.tar')) return openOne(name, await createArchive(path))
  const isThere = await stat(path).then(
    () => true,
    () => false,
  )
  if (mode === 'read' && !isThere) throw new PlaceRefused(`There is nothing at ${path}.`)
  return openStores(name, (part) => openFiles(join(path, part), { folder: '' }))
}

/** The same address, further down. */
const withPath = (url: string, part: string): string => {
  const [address = '', query] = url.split('?', 2)
  return `${address.endsWith('/') ? address : `${address}/`}${part}${query === undefined ? '' : `?${query}`}`
}

const openStores = (name: string, open: (part: string) => Promise<Files>): Place => {
  const opened = new Map<string, Promise<Files>>()
  return {
    isArchive: false,
    name,
    part: (part) => {
      const found = opened.get(part) ?? open(part)
      opened.set(part, found)
      return found
    },
    finish: async () => undefined,
    close: () => {
      for (const files of opened.values()) void files.then((one) => one.close())
    },
  }
}

const openOne = (name: string, archive: Archive): Place => ({
  isArchive: true,
  name,
  part: async (part) => within(archive, `${part}/`),
  finish: () => archive.finish(),
  close: () => archive.close(),
})

const within = (files: Files, prefix: string): Files => ({
  ...files,
  put: (key, source, options) => files.put(prefix + key, source, options),
  get: (key) => files.get(prefix + key),
  delete: (key) => files.delete(prefix + key),
  exists: (key) => files.exists(prefix + key),
  list: async function* () {
    for await (const file of files.list()) {
      if (file.key.startsWith(prefix)) yield { ...file, key: file.key.slice(prefix.length) }
    }
  },
})
