// A folder for as long as a command runs. Whoever is killed leaves theirs behind, with a copy of the database in it: the next
// command removes it.
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
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

/** Whole: `web-12` is another machine than `web`. */
const isOfDead = (name: string): boolean => {
  if (!name.startsWith(prefix)) return false
  const [number, random, ...more] = name.slice(prefix.length).split('-')
  const pid = Number(number)
  return random !== undefined && more.length === 0 && Number.isSafeInteger(pid) && pid > 0 && !isRunning(pid)
}

/** Whatever anybody else puts there, root would remove it too. */
const isOwn = async (path: string): Promise<boolean> => {
  const found = await lstat(path).catch(() => undefined)
  return found?.isDirectory() === true && found.uid === process.getuid?.()
}

/** In `parent`, of this process. */
export const throwAwayFolder = async (parent: string): Promise<string> => {
  for (const name of (await readdir(parent)).filter(isOfDead)) {
    const path = join(parent, name)
    // What cannot be removed keeps nobody from their check.
    if (await isOwn(path)) await rm(path, { recursive: true, force: true }).catch(() => undefined)
  }
  return mkdtemp(join(parent, `${prefix}${process.pid}-`))
}
