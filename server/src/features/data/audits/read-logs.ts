// Logs out of the store, their lines one after the other. Small ones are fetched some ahead, because a store that is far away takes
// as long for a small file as for a large one; no more are open at once.

import { budgets } from '../../../budgets.js'
import { type AuditLine, AuditLogReader } from '../../../formats/audit/index.js'
import { takingTurns } from '../../../formats/turns/index.js'
import { FileMissing, type Files } from '../../../platform/files/index.js'
import type { LogFile } from './audits.queries.js'

type Bytes = AsyncIterable<Buffer> | readonly Buffer[]

/** Undefined where the store has lost it: the others are still worth reading. */
const opened = async (files: Files, fileKey: string, range?: { start: number; end: number }) => {
  try {
    return (await files.get(fileKey, range && { range })).stream
  } catch (error) {
    if (error instanceof FileMissing) return undefined
    throw error
  }
}

const fetched = async (files: Files, { fileKey }: LogFile): Promise<Bytes> =>
  ((await (await opened(files, fileKey))?.toArray()) ?? []) as Buffer[]

export interface OpenLog<F extends LogFile> {
  readonly file: F
  readonly bytes: Bytes
}

/** In their order. A large one is opened when it is its turn. */
export async function* openLogs<F extends LogFile>(files: Files, logs: AsyncIterable<F>): AsyncGenerator<OpenLog<F>> {
  const { smallBytes, ahead } = budgets.audits
  const waiting: { file: F; small: Promise<Bytes> | undefined }[] = []
  const next = async (): Promise<OpenLog<F>> => {
    const { file, small } = waiting.shift() as (typeof waiting)[number]
    return { file, bytes: (await small) ?? (await opened(files, file.fileKey)) ?? [] }
  }
  for await (const file of logs) {
    const small = file.bytes <= smallBytes ? fetched(files, file) : undefined
    // Who waits for it is told; until then nobody is.
    small?.catch(() => undefined)
    waiting.push({ file, small })
    if (waiting.length >= ahead) yield await next()
  }
  while (waiting.length > 0) yield await next()
}

/** The lines of one log; others have a turn in between. `most` bytes of it at most. */
export async function* linesIn(
  bytes: Bytes,
  reader: AuditLogReader,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<AuditLine> {
  const pause = takingTurns()
  let left = most
  for await (const chunk of bytes) {
    for (const line of reader.push(chunk.subarray(0, left))) {
      yield line
      await pause()
    }
    left -= chunk.length
    if (left <= 0) break
    await pause()
  }
  yield* reader.end()
}

const headBytes = 8192

/** Of all logs together; a sender may give each line of each log a header of its own. */
const mostNames = 1000

const columnsIn = async (files: Files, { fileKey, bytes }: LogFile): Promise<readonly string[]> => {
  if (bytes === 0) return []
  const start = await opened(files, fileKey, { start: 0, end: headBytes - 1 })
  const reader = new AuditLogReader()
  for (const chunk of ((await start?.toArray()) ?? []) as Buffer[]) reader.push(chunk)
  reader.end()
  return reader.columns
}

/** The columns that these logs have, each once. */
export const columnsOfLogs = async (files: Files, logs: readonly LogFile[]): Promise<Set<string>> => {
  const columns = new Set<string>()
  for (let from = 0; from < logs.length; from += budgets.audits.ahead) {
    const some = logs.slice(from, from + budgets.audits.ahead)
    for (const found of await Promise.all(some.map((log) => columnsIn(files, log)))) {
      for (const name of found) if (columns.size < mostNames) columns.add(name)
    }
  }
  return columns
}
