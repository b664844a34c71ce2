// The body of an OpenRosa submission: the XML, and the files that came with it.
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import { budgets } from '../../budgets.js'
import type { Deps } from '../../platform/deps.js'
import { tooLarge, unsupportedMediaType } from '../../platform/http/index.js'
import {
  MultipartMalformed,
  MultipartTooLarge,
  MultipartWantsTooMuch,
  type Part,
  partsIn,
  readMultipart,
} from '../../platform/multipart/index.js'
import { fileName, noXml, type ReceivedFile, severalXml, storeFile, unreadableUpload } from '../submissions/index.js'
import { dropUploads } from '../uploads/index.js'
import { postTooLarge } from './openrosa.errors.js'
import { openRosaSettings } from './openrosa.settings.js'

/** What devices are told: they make posts of this size, of whole files. One that is larger comes alone, in a larger post. */
export const announcedBytes = budgets.bodies.submissionBytes
/** Above this a body is taken in as it arrives. */
export const memoryBytes = 256 * 1024
const { submissionParts, submissionXmlBytes } = budgets.bodies

const xmlPart = 'xml_submission_file'

export interface SubmissionBody {
  readonly xml: Buffer
  /** Puts into the store what is still in memory; durable when it returns. */
  keepFiles(): Promise<readonly ReceivedFile[]>
  /** After a refusal: what is in the store already goes again. */
  drop(reason: unknown): Promise<void>
}

export const isMultipart = (contentType: string): boolean => /^multipart\/form-data\b/i.test(contentType)

const isFile = ({ name, filename, type }: { name: string; filename: string | undefined; type: string }): boolean =>
  name !== xmlPart && (filename !== undefined || /^(image|audio|video)\//.test(type))

/** Of a body that has nothing else; undefined: there is more, or it is no such body. */
export const soleXml = (body: Buffer, contentType: string): Buffer | undefined => {
  try {
    const [xml, ...more] = partsIn(body, contentType, 1)
    return more.length === 0 && xml?.name === xmlPart ? xml.content : undefined
  } catch (error) {
    if (error instanceof MultipartMalformed) return undefined
    throw error
  }
}

export const readSubmission = async (deps: Deps, request: FastifyRequest): Promise<SubmissionBody> => {
  const contentType = request.headers['content-type'] ?? ''
  if (!isMultipart(contentType)) throw unsupportedMediaType(contentType.slice(0, 100))
  const stored: ReceivedFile[] = []
  const drop = (reason: unknown) =>
    dropUploads(
      deps,
      stored.map(({ key }) => key),
      reason,
    )
  try {
    const parts = await readMultipart<ReceivedFile | undefined>(request.raw, {
      maxBytes: deps.config.of(openRosaSettings).largestPost,
      maxParts: submissionParts,
      whole: request.wholeBody ?? undefined,
      memoryBytes,
      maxWantedBytes: announcedBytes,
      isWanted: (info) => !isFile(info),
      keep: async (info, stream) => {
        if (nameOf(info) === '') return passOver(stream)
        const file = await storeFile(deps, { name: nameOf(info), type: info.type, source: stream })
        stored.push(file)
        return file
      },
    })
    const [xml, ...more] = parts.filter(({ name }) => name === xmlPart)
    // One of them would be answered for, and the others lost without a word.
    if (more.length > 0) throw severalXml(more.length + 1)
    if (xml === undefined || !Buffer.isBuffer(xml.content) || xml.content.length === 0) throw noXml()
    if (xml.content.length > submissionXmlBytes) throw tooLarge(`The XML is larger than ${submissionXmlBytes} bytes.`)
    return { xml: xml.content, keepFiles: () => keepAll(deps, parts, stored), drop }
  } catch (error) {
    await drop(error)
    throw refusalOf(error)
  }
}

const refusalOf = (error: unknown): unknown => {
  if (error instanceof MultipartTooLarge) return postTooLarge(error.limitBytes, error.bytes)
  if (error instanceof MultipartWantsTooMuch)
    return tooLarge(`What is no file of the submission is larger than ${announcedBytes} bytes.`)
  return error instanceof MultipartMalformed ? unreadableUpload() : error
}

/** No answer can name what has no name. */
const passOver = async (stream: Readable): Promise<undefined> => {
  stream.resume()
  await finished(stream)
}

const nameOf = ({ name, filename }: { name: string; filename: string | undefined }): string =>
  fileName(filename || name)

const keepAll = async (deps: Deps, parts: readonly Part<ReceivedFile | undefined>[], stored: ReceivedFile[]) => {
  const files = parts.filter(isFile).map((part) => ({ part, name: nameOf(part) }))
  for (const { part, name } of files) {
    if (!Buffer.isBuffer(part.content) || name === '') continue
    stored.push(await storeFile(deps, { name, type: part.type, source: part.content }))
  }
  return stored
}
