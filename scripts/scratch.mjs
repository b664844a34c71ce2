// Where tests write: every file of tests has a database of its own, and all of it is thrown away. A disk's file system makes and
// forgets these thousands of small files at a cost that memory does not have (a sixth of all work), so they stand in memory
// wherever there is room.
import { accessSync, chmodSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

const prefix = 'sheaf-tests-'
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

/** Memory is not given back by a run that was killed. */
const removeLeft = (memory) => {
  for (const name of readdirSync(memory).filter((name) => name.startsWith(prefix))) {
    if (!isRunning(Number(name.slice(prefix.length).split('-')[0]))) {
      rmSync(join(memory, name), { recursive: true, force: true })
    }
  }
}

/** A folder for this process and those that it starts; removed when it ends. Where there is no room: that of the system. */
export const scratchFolder = (memory = '/dev/shm', bytes = plenty) => {
  if (!hasRoom(memory, bytes)) return tmpdir()
  removeLeft(memory)
  const folder = mkdtempSync(join(memory, `${prefix}${process.pid}-`))
  // As the system's: PostgreSQL runs as another user where tests run as root.
  chmodSync(folder, 0o1777)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
