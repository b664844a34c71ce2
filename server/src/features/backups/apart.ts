// A place of backups is no part of the store that it is a copy of: copies under the same keys would replace what they are copies of,
// an encrypted one all of it.
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { type Files, overlap } from '../../platform/files/index.js'
import { type Place, PlaceRefused } from '../../platform/vault/index.js'
import { parts } from './manifest.js'

const probePattern = /^probe-of-backups-[0-9a-f]{32}$/

/** A kill has left it behind. */
export const isProbe = (key: string): boolean => probePattern.test(key)

const isNear = async ({ location }: Files, place: Place): Promise<boolean> => {
  if (location === undefined) return false
  for (const part of Object.values(parts)) if (await overlap(location, place.locationOf(part))) return true
  return false
}

/** Two addresses may be of one store: what is put into one is then found in the other. */
const isSame = async (files: Files, place: Place): Promise<boolean> => {
  if (place.isArchive) return false
  const key = `probe-of-backups-${randomBytes(16).toString('hex')}`
  await files.put(key, Readable.from([Buffer.from(key)]))
  try {
    for (const part of Object.values(parts)) if (await (await place.part(part)).exists(key)) return true
    return false
  } finally {
    await files.delete(key)
  }
}

/** Before anything is written, in either direction. */
export const requireApart = async (files: Files, place: Place): Promise<void> => {
  if (!(await isNear(files, place)) && !(await isSame(files, place))) return
  throw new PlaceRefused(
    `${place.name} is where this server keeps its files, or is in it: a backup there would be no copy, and could overwrite them. Nothing was changed. Name another place.`,
  )
}
