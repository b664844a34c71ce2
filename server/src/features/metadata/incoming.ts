// What a request brings: its fields, and at most one file, which goes straight into the store.
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../platform/deps.js'
import { FileTooLarge } from '../../platform/files/index.js'
import { badRequest, baseName, refuseFields, tooLarge } from '../../platform/http/index.js'
import { dropUploads, storeUpload, type Upload } from '../uploads/index.js'
import { headBytes, largestFile, largestOfAll } from './media-files.js'
import { fileRefused } from './metadata.errors.js'

export interface IncomingFile {
  readonly name: string
  /** Its first bytes. */
  readonly head: Buffer
  readonly upload: Upload
}

export interface Incoming {
  readonly fields: Record<string, unknown>
  readonly file: IncomingFile | undefined
}

const longestField = 100_000
const limits = { fields: 20, fieldSize: longestField, files: 1, fileSize: largestOfAll + 1 }

/** Runs `work` with what was sent; a file that it does not take is removed again. */
export const receiving = async <T>(
  deps: Deps,
  request: FastifyRequest,
  work: (incoming: Incoming) => Promise<T>,
): Promise<T> => {
  const keys: string[] = []
  try {
    return await work(await receive(deps, request, (key) => keys.push(key)))
  } catch (error) {
    await dropUploads(deps, keys, error)
    throw error
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const receive = async (deps: Deps, request: FastifyRequest, note: (key: string) => void): Promise<Incoming> => {
  if (!request.isMultipart()) return { fields: isObject(request.body) ? request.body : {}, file: undefined }
  try {
    return await readParts(deps, request, note)
  } catch (error) {
    // Limits and refusals have a status of their own; what the parser stumbles over has none.
    if ('status' in (error as object) || 'statusCode' in (error as object)) throw error
    throw badRequest('The multipart body could not be read: it is cut short or malformed.', 'multipart.malformed')
  }
}

const readParts = async (deps: Deps, request: FastifyRequest, note: (key: string) => void): Promise<Incoming> => {
  const fields: Record<string, unknown> = {}
  let file: IncomingFile | undefined
  for await (const part of request.parts({ limits })) {
    if (part.type === 'file') {
      const isMeant = part.fieldname === 'data_file' && Boolean(part.filename)
      if (isMeant) file = await storeIncoming(deps, { sent: part.filename, called: fields.data_value }, part.file, note)
      else part.file.resume()
      continue
    }
    if (part.valueTruncated) throw tooLarge(`The field "${part.fieldname}" is larger than ${longestField} bytes.`)
    // A blank field of a form is one that was left out.
    if (part.value !== '') fields[part.fieldname] = part.value
  }
  refuseFields(fields)
  return { fields, file }
}

/** A name never becomes a path. */
export const plainName = (text: string): string =>
  baseName(text)
    .replace(/\p{Cc}/gu, '')
    .trim()

/** Straight into the store. */
export const storeIncoming = async (
  deps: Deps,
  { sent, called }: { sent: string; called: unknown },
  source: AsyncIterable<Buffer>,
  note: (key: string) => void,
): Promise<IncomingFile> => {
  const name = plainName(sent)
  const head: Buffer[] = []
  // By iteration, because a pipe waits for ever for the end of a body that was cut off.
  async function* watched(): AsyncGenerator<Buffer> {
    let seen = 0
    for await (const chunk of source) {
      if (seen < headBytes) head.push(chunk.subarray(0, headBytes - seen))
      seen += chunk.length
      yield chunk
    }
  }
  // What it is called may stand behind it; then its size is asked for again.
  const maxBytes = Math.max(largestFile(name), typeof called === 'string' ? largestFile(called) : 0)
  try {
    const upload = await storeUpload(deps, watched(), { folder: 'media', maxBytes })
    note(upload.key)
    return { name, head: Buffer.concat(head), upload }
  } catch (error) {
    if (error instanceof FileTooLarge) throw fileRefused(name, `It is larger than ${maxBytes} bytes.`)
    throw error
  }
}
