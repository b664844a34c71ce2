// postmaster.pid, which PostgreSQL keeps in its data folder while it runs: one fact a line.
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrno } from './errors.js'

export interface PostmasterFile {
  readonly pid: number
  readonly port: number
  readonly socketFolder: string
  readonly isReady: boolean
}

/** Undefined while it is missing or still being written. */
export async function readPostmasterFile(dataFolder: string): Promise<PostmasterFile | undefined> {
  let lines: string[]
  try {
    lines = (await readFile(join(dataFolder, 'postmaster.pid'), 'utf8')).split('\n')
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  }
  const [pid, , , port, socketFolder, , , status] = lines
  if (!(Number(pid) > 0)) return undefined
  return {
    pid: Number(pid),
    port: Number(port),
    socketFolder: socketFolder ?? '',
    isReady: status?.trim() === 'ready',
  }
}

export const removePostmasterFile = (dataFolder: string): Promise<void> =>
  rm(join(dataFolder, 'postmaster.pid'), { force: true })
