// Whether two stores are one, or one lies in the other, as far as their addresses tell. What they do not tell (two names of one
// server, a folder that is mounted twice) shows a file that is put into one and found in the other.
import { realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import type { Location } from './location.js'

/** Without links, also where its last parts are not there yet. */
const realPathOf = async (path: string): Promise<string> => {
  try {
    return await realpath(path)
  } catch {
    const above = dirname(path)
    return above === path ? path : join(await realPathOf(above), basename(path))
  }
}

const isWithin = (path: string, folder: string): boolean => {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

export const overlap = async (one: Location, other: Location): Promise<boolean> => {
  if (one.kind === 'folder' && other.kind === 'folder') {
    const [path, otherPath] = [await realPathOf(one.path), await realPathOf(other.path)]
    return isWithin(path, otherPath) || isWithin(otherPath, path)
  }
  if (one.kind !== 's3' || other.kind !== 's3') return false
  if (one.endpoint !== other.endpoint || one.bucket !== other.bucket) return false
  return one.prefix.startsWith(other.prefix) || other.prefix.startsWith(one.prefix)
}
