// The file of an import as it arrives: a small one stays in memory, a large one goes into the store meanwhile.
import type { MultipartFile, MultipartValue } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../platform/deps.js'
import { FileTooLarge } from '../../platform/files/index.js'
import { badRequest, baseName, refuseFields, tooLarge, unsupportedMediaType } from '../../platform/http/index.js'
import { dropUploads, storeUpload } from '../uploads/index.js'

/** Up to this size an import is done in the request. */
const smallBytes = 100_000
const largestCsv = 50 * 1024 * 1024
/** A spreadsheet is held in memory while it is unpacked. */
export const largestSpreadsheet = 16 * 1024 * 1024

export type FileField = 'csv_file' | 'xls_file'

export interface IncomingFile {
  readonly field: FileField
  readonly name: string
  /** How it begins; all of it when it is small. */
  readonly beginning: Buffer
  /** Where it is kept; undefined for a small one. */
  readonly key: string | undefined
}

export interface IncomingImport {
  readonly files: readonly IncomingFile[]
  readonly fields: Readonly<Record<string, unknown>>
}

const largestOf = (field: FileField): number => (field === 'csv_file' ? largestCsv : largestSpreadsheet)

async function* chained(first: readonly Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield* first
  for (;;) {
    const { value, done } = await rest.next()
    if (done === true) return
    yield value
  }
}

const receive = async (deps: Deps, field: FileField, name: string, stream: AsyncIterable<Buffer>) => {
  const chunks = stream[Symbol.asyncIterator]()
  const first: Buffer[] = []
  let size = 0
  while (size <= smallBytes) {
    const { value, done } = await chunks.next()
    if (done === true) return { field, name, beginning: Buffer.concat(first), key: undefined }
    first.push(value)
    size += value.length
  }
  const maxBytes = largestOf(field)
  try {
    const { key } = await storeUpload(deps, chained(first, chunks), { folder: 'imports', maxBytes })
    return { field, name, beginning: Buffer.concat(first), key }
  } catch (error) {
    throw error instanceof FileTooLarge ? tooLarge(`The ${field} is larger than ${maxBytes} bytes.`) : error
  }
}

const isFileField = (name: string): name is FileField => name === 'csv_file' || name === 'xls_file'

/** Limits have a status of their own; what the parser stumbles over has none. */
const parsing = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if ('status' in (error as object) || 'statusCode' in (error as object)) throw error
    throw badRequest('The multipart body could not be read: it is cut short or malformed.', 'multipart.malformed')
  }
}

/** Told apart from what goes wrong where they are stored. */
async function* chunksOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = stream[Symbol.asyncIterator]()
  for (;;) {
    const { value, done } = await parsing(chunks.next())
    if (done === true) return
    yield value
  }
}

const fieldsOf = (body: unknown): Record<string, unknown> =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}

type Part = MultipartFile | MultipartValue

export const receiveImport = async (deps: Deps, request: FastifyRequest): Promise<IncomingImport> => {
  if (!request.isMultipart()) return { files: [], fields: fieldsOf(request.body) }
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') throw unsupportedMediaType(encoding)
  const files: IncomingFile[] = []
  const fields: Record<string, unknown> = {}
  const take = async (part: Part): Promise<void> => {
    if (part.type !== 'file') fields[part.fieldname] = part.value
    else if (isFileField(part.fieldname) && !files.some(({ field }) => field === part.fieldname)) {
      files.push(await receive(deps, part.fieldname, baseName(part.filename ?? ''), chunksOf(part.file)))
    } else part.file.resume()
  }
  // A byte more than the largest: that one tells that it is larger.
  const parts = request.parts({ limits: { fields: 20, fieldSize: 1000, files: 4, fileSize: largestCsv + 1 } })
  try {
    for (;;) {
      const { value, done } = await parsing(parts.next())
      if (done === true) {
        refuseFields(fields)
        return { files, fields }
      }
      await take(value)
    }
  } catch (error) {
    await dropImport(deps, files, error)
    throw error
  }
}

/** What came to nothing. */
export const dropImport = (deps: Deps, files: readonly IncomingFile[], reason: unknown): Promise<void> =>
  dropUploads(
    deps,
    files.flatMap(({ key }) => key ?? []),
    reason,
  )
