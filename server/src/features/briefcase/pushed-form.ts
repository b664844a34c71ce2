// The body of a form that is pushed: its XForm, and the files that go with it.
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import { budgets } from '../../budgets.js'
import type { Deps } from '../../platform/deps.js'
import { badRequest, tooLarge, unsupportedMediaType } from '../../platform/http/index.js'
import { MultipartMalformed, MultipartTooLarge, type Part, readMultipart } from '../../platform/multipart/index.js'
import { type IncomingFile, storeIncoming } from '../metadata/index.js'
import { dropUploads } from '../uploads/index.js'
import { noDefinition } from './briefcase.errors.js'

const definitionPart = 'form_def_file'
const memoryBytes = 256 * 1024
const { formBytes, largeMediaBytes } = budgets.bodies

export interface PushedForm {
  readonly name: string
  readonly xml: Buffer
  readonly media: readonly IncomingFile[]
}

const isDefinition = ({ name }: { name: string }): boolean => name === definitionPart

const read = async (deps: Deps, request: FastifyRequest, keys: string[]): Promise<PushedForm> => {
  const store = (sent: string, source: Readable) =>
    storeIncoming(deps, { sent, called: undefined }, source, (key) => keys.push(key))
  const parts = await readMultipart<IncomingFile | undefined>(request.raw, {
    maxBytes: formBytes + largeMediaBytes,
    maxParts: budgets.pulls.pushedFiles,
    memoryBytes,
    // Beside the definition there may be words; what is larger than a form is told below.
    maxWantedBytes: 2 * formBytes,
    isWanted: (info) => isDefinition(info) || info.filename === undefined,
    keep: async ({ filename }, stream) => {
      if (filename) return store(filename, stream)
      stream.resume()
      return void (await finished(stream))
    },
  })
  const definition = parts.find(isDefinition)
  if (definition === undefined || !Buffer.isBuffer(definition.content)) throw noDefinition()
  if (definition.content.length > formBytes) throw tooLarge(`The form is larger than ${formBytes} bytes.`)
  const media: IncomingFile[] = []
  for (const { filename, content } of parts.filter((part): part is Part<IncomingFile> => !isDefinition(part))) {
    if (!filename) continue
    media.push(Buffer.isBuffer(content) ? await store(filename, Readable.from([content])) : content)
  }
  return { name: definition.filename || 'form.xml', xml: definition.content, media }
}

/** Runs `work` with what was sent; files that nothing takes are removed again. */
export const receivingForm = async <T>(
  deps: Deps,
  request: FastifyRequest,
  work: (pushed: PushedForm) => Promise<T>,
): Promise<T> => {
  const contentType = request.headers['content-type'] ?? ''
  if (!/^multipart\/form-data\b/i.test(contentType)) throw unsupportedMediaType(contentType.slice(0, 100))
  const keys: string[] = []
  try {
    return await work(await read(deps, request, keys))
  } catch (error) {
    await dropUploads(deps, keys, error)
    if (error instanceof MultipartTooLarge) throw tooLarge(`The form is larger than ${error.limitBytes} bytes.`)
    if (!(error instanceof MultipartMalformed)) throw error
    throw badRequest('The multipart body could not be read: it is cut short or malformed.', 'multipart.malformed')
  }
}
