// A small disk of its own, to be filled. It takes the right to mount one: tests that need it say that they were left out
// where there is none.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  readonly folder: string
  /** False: the folder is on the machine's own disk, which nobody should fill. */
  readonly isMounted: boolean
  remove(): void
}

/** `size` as mount takes it: `512k`. */
export const smallDisk = (size: string): SmallDisk => {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-disk-'))
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]).status === 0
  const remove = () => {
    if (isMounted) spawnSync('umount', [folder])
    rmSync(folder, { recursive: true })
  }
  return { folder, isMounted, remove }
}
