// Where backups lie: a folder, a bucket, or one file. Each part of it is a store of files of its own, so that what is listed comes
// in the order of the keys in it.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Files, type FolderLocation, type Location, openFiles, parseFilesUrl } from '../files/index.js'
import { PlaceRefused } from './errors.js'
import { type Archive, createArchive, openArchive } from './tar.js'

export interface Place {
  /** One file is written once, and holds nothing of others. */
  readonly isArchive: boolean
  /** For people; without what opens it. */
  readonly name: string
  part(name: string): Promise<Files>
  /** Where a part is, without making it. */
  locationOf(part: string): Location
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
  if (location.kind === 's3') return openStores(name, (part) => withPath(url, part))
  const { path } = location
  if (await isFile(path)) {
    if (mode === 'read') return openOne(location, await openArchive(path))
    throw new PlaceRefused(`${path} is there already: name another file, or a folder.`)
  }
  if (mode === 'write' && path.endsWith('.tar')) return openOne(location, createArchive(path))
  const isThere = await stat(path).then(
    () => true,
    () => false,
  )
  if (mode === 'read' && !isThere) throw new PlaceRefused(`There is nothing at ${path}.`)
  return openStores(name, (part) => join(path, part))
}

/** The same address, further down. */
const withPath = (url: string, part: string): string => {
  const [address = '', query] = url.split('?', 2)
  return `${address.endsWith('/') ? address : `${address}/`}${part}${query === undefined ? '' : `?${query}`}`
}

const openStores = (name: string, urlOf: (part: string) => string): Place => {
  const opened = new Map<string, Promise<Files>>()
  return {
    isArchive: false,
    name,
    part: (part) => {
      const found = opened.get(part) ?? openFiles(urlOf(part), { folder: '' })
      opened.set(part, found)
      return found
    },
    locationOf: (part) => parseFilesUrl(urlOf(part)),
    finish: async () => undefined,
    close: () => {
      for (const files of opened.values()) void files.then((one) => one.close())
    },
  }
}

const openOne = (location: FolderLocation, archive: Archive): Place => ({
  isArchive: true,
  name: location.path,
  locationOf: () => location,
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
