// PostgreSQL's own log. It writes straight to a file that it inherits: a pipe would fill and stop it when we are
// busy, and its logging collector is one more process that cannot bound a file of one name.
import { closeSync, fstatSync, ftruncateSync, openSync } from 'node:fs'
import { copyFile, open, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { matchOwner } from './ownership.js'

export interface ServerLog {
  readonly fd: number
  /** What was written since it was opened: its last lines. */
  tail(): Promise<string>
  /** Keeps one older part aside and starts again when it has grown. Runs by itself every minute. */
  trim(): Promise<void>
  close(): void
}

const oneMinute = 60_000

export async function openServerLog(file: string, mostBytes = 4 * 1024 * 1024): Promise<ServerLog> {
  const older = `${file}.1`
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  )
  if (size > mostBytes) await rename(file, older)
  // Appending, so that PostgreSQL goes on at the new end after the file was cut.
  const fd = openSync(file, 'a+', 0o600)
  await matchOwner(dirname(file), file)
  const start = fstatSync(fd).size

  const trim = async () => {
    if (fstatSync(fd).size <= mostBytes) return
    await copyFile(file, older)
    ftruncateSync(fd, 0)
  }
  const timer = setInterval(() => void trim().catch(() => {}), oneMinute)
  timer.unref()

  return { fd, trim, tail: () => lastLines(file, start), close: () => close(timer, fd) }
}

function close(timer: NodeJS.Timeout, fd: number): void {
  clearInterval(timer)
  closeSync(fd)
}

async function lastLines(file: string, start: number, count = 8): Promise<string> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const from = Math.max(start > size ? 0 : start, size - 8192)
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(size - from), position: from })
    return buffer.toString('utf8', 0, bytesRead).trim().split('\n').slice(-count).join('\n')
  } finally {
    await handle.close()
  }
}
