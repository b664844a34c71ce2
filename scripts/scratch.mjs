// Where tests write: every file of tests has a database of its own, and all of it is thrown away. A disk's file system makes and
// forgets these thousands of small files at a cost that memory does not have (13 and 20 % of all work, where it was measured),
// so they stand in memory wherever there is room.
import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Containers may share the memory, and count their processes each by themselves. */
const prefixOfRuns = () => `sheaf-tests-${readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '')}-`
/** Several times what a run of everything takes at once. */
const plenty = 4 * 1024 ** 3

const hasRoom = (memory, bytes) => {
  try {
    accessSync(memory, constants.W_OK)
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= bytes && freemem() >= bytes
  } catch {
    return false
  }
}

const isRunning = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** As far as it goes: where something that a run started still writes, the next one removes the rest. Tests do not fail for it. */
const remove = (folder) => {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  } catch {}
}

/** Memory is not given back by a run that was killed. What another account has left is theirs to remove. */
const removeLeft = (memory, prefix) => {
  const isLeft = (name) => name.startsWith(prefix) && !isRunning(Number(name.slice(prefix.length).split('-')[0]))
  for (const name of readdirSync(memory).filter(isLeft)) {
    const folder = join(memory, name)
    if (lstatSync(folder, { throwIfNoEntry: false })?.uid === process.getuid()) remove(folder)
  }
}

/** A folder for this process and those that it starts; removed when it ends. Where there is no room: that of the system. */
export const scratchFolder = (memory = '/dev/shm', bytes = plenty) => {
  if (!hasRoom(memory, bytes)) return tmpdir()
  const prefix = prefixOfRuns()
  removeLeft(memory, prefix)
  const folder = mkdtempSync(join(memory, `${prefix}${process.pid}-`))
  // As the system's: PostgreSQL runs as another user where tests run as root.
  chmodSync(folder, 0o1777)
  process.once('exit', () => remove(folder))
  return folder
}
