// A small disk for the files of submissions, which can be filled. It needs the right to mount; without it the fault is
// left out, and the report says so.
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

export interface Disk {
  fill(): void
  empty(): void
  unmount(): void
}

const megabyte = Buffer.alloc(1024 * 1024)

export const mountDisk = (folder: string, megabytes: number): Disk | undefined => {
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', folder])
  if (status !== 0) return undefined
  const ballast = join(folder, '.ballast')
  return {
    fill: () => {
      const file = openSync(ballast, 'w')
      try {
        for (;;) writeSync(file, megabyte)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        closeSync(file)
      }
    },
    empty: () => rmSync(ballast, { force: true }),
    unmount: () => {
      spawnSync('umount', ['-l', folder])
    },
  }
}
