// The folder of the Unix socket. Not beside the data: a socket's path may have 107 bytes at most.
import { randomBytes } from 'node:crypto'
import { chown, lstat, mkdir, rmdir, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { isErrno } from './errors.js'

const prefix = 'sheaf-pg-'
const longest = 107

/** Only the name, so that it can be written down before the folder exists: a folder nobody knows is never removed. */
export function nameSocketFolder(temporary = tmpdir()): string {
  const name = `${prefix}${randomBytes(6).toString('hex')}`
  const folder = join(temporary, name)
  return Buffer.byteLength(join(folder, '.s.PGSQL.5432')) <= longest ? folder : join('/tmp', name)
}

/** Without `recursive`, making it fails where somebody was there first, as mkdtemp would. */
export async function makeSocketFolder(folder: string, user?: { uid: number; gid: number }): Promise<void> {
  await mkdir(folder, { mode: 0o700 })
  if (user) await chown(folder, user.uid, user.gid)
}

/**
 * The name may come out of a file that outlived its machine. So nothing is removed but what such a folder can
 * hold, and never recursively.
 */
export async function removeSocketFolder(folder: string): Promise<void> {
  if (!basename(folder).startsWith(prefix)) return
  try {
    if (!(await lstat(folder)).isDirectory()) return
    for (const name of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock']) {
      await unlink(join(folder, name)).catch((error) => {
        if (!isErrno(error, 'ENOENT')) throw error
      })
    }
    await rmdir(folder)
  } catch (error) {
    if (!isErrno(error, 'ENOENT', 'ENOTEMPTY', 'EACCES', 'EPERM')) throw error
  }
}
