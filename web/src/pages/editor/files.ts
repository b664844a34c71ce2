// Workbooks as files: read and written by a worker that is started when the first one comes.
import type { RawSheet } from '@sheaf/xlsform/sheets'
import { asApiError } from '@/api'
import type { Answered, Asked } from './files.worker'

/** A file that cannot be read, in the compiler's words. */
class FileFault extends Error {
  readonly code: string
  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

/** Of before 2007: only the server reads it (ADR 0033). */
export const isOldExcel = (error: unknown): boolean => error instanceof FileFault && error.code === 'legacy-file'

export const faultOf = (error: unknown): string =>
  error instanceof FileFault ? error.message : asApiError(error).message

let worker: Worker | undefined
let last = 0
const waiting = new Map<number, { done: (answer: Answered) => void; failed: (error: Error) => void }>()

const start = (): Worker => {
  const made = new Worker(new URL('./files.worker.ts', import.meta.url), { type: 'module' })
  made.addEventListener('message', ({ data }: MessageEvent<Answered>) => {
    waiting.get(data.id)?.done(data)
    waiting.delete(data.id)
  })
  // It did not load, or ended: whoever waits is told, and the next one starts another.
  made.addEventListener('error', (event) => {
    for (const { failed } of waiting.values()) failed(new Error(event.message))
    waiting.clear()
    worker = undefined
  })
  return made
}

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never

const ask = async (asked: WithoutId<Asked>): Promise<Answered> => {
  worker ??= start()
  last += 1
  const id = last
  const answer = await new Promise<Answered>((done, failed) => {
    waiting.set(id, { done, failed })
    worker?.postMessage({ ...asked, id })
  })
  if ('fault' in answer) throw new FileFault(answer.fault, answer.code)
  return answer
}

export const readFile = async (file: Blob): Promise<RawSheet[]> => {
  const answer = await ask({ kind: 'read', bytes: new Uint8Array(await file.arrayBuffer()) })
  return 'sheets' in answer ? answer.sheets : []
}

const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export const writeFile = async (sheets: readonly RawSheet[], name: string): Promise<File> => {
  const answer = await ask({ kind: 'write', sheets })
  const bytes = 'bytes' in answer ? answer.bytes : new Uint8Array()
  return new File([bytes as BlobPart], `${name}.xlsx`, { type })
}
