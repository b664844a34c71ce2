// A lock of the kernel's on the folder, held by this process and by every process of the database it starts. The
// kernel lets go of it exactly when the last of them is gone, and it is seen from other containers that mount the
// same folder, where process ids say nothing and two PostgreSQLs on one folder would destroy it.
import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { matchOwner } from './ownership.js'

export interface FolderLock {
  /** To be inherited by children; undefined where the system has no flock program (macOS) or no such locks (some NFS). */
  readonly fd: number | undefined
  release(): void
}

const refused = 75

/** Undefined when somebody else has it. */
export async function lockFolder(folder: string): Promise<FolderLock | undefined> {
  const file = join(folder, 'lock')
  const fd = openSync(file, 'a', 0o600)
  await matchOwner(folder, file)
  // Node has no flock(2). But the lock belongs to the open file, which the flock program shares with us by
  // inheriting it: when it ends, we still hold what it locked. 2 ms.
  const result = await exitCode('flock', ['-n', '-E', String(refused), '3'], fd)
  if (result === 0) return { fd, release: () => closeSync(fd) }
  closeSync(fd)
  return result === refused ? undefined : { fd: undefined, release: () => {} }
}

const exitCode = (program: string, args: string[], fd: number): Promise<number | null> =>
  new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore', fd] })
    child.once('error', () => resolve(null))
    child.once('exit', (code) => resolve(code))
  })
