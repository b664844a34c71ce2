// A folder for as long as a command runs. Whoever is killed leaves theirs behind, with a copy of the database in it: the next
// command removes it.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

/** Processes of other machines, which may share the folder, are none of ours to judge. */
const prefix = `sheaf-check-${hostname()}-`

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

const isAbandoned = (name: string): boolean => {
  if (!name.startsWith(prefix)) return false
  const pid = Number(name.slice(prefix.length).split('-')[0])
  return Number.isSafeInteger(pid) && pid > 0 && !isRunning(pid)
}

/** In `parent`, of this process. */
export const throwAwayFolder = async (parent: string): Promise<string> => {
  const abandoned = (await readdir(parent)).filter(isAbandoned)
  // What belongs to somebody else stays theirs.
  for (const name of abandoned) await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined)
  return mkdtemp(join(parent, `${prefix}${process.pid}-`))
}
