// Bodies with files, for routes that say `streamsBody`: the fields as one plain object, and small files in memory.
import type { FastifyRequest } from 'fastify'
import { budgets } from '../../budgets.js'
import { badRequest, tooLarge, unsupportedMediaType } from './errors.js'
import { refuseFields } from './text-faults.js'

export interface UploadedFile {
  /** Name of the part. */
  readonly field: string
  /** As the caller named it, without any folder. */
  readonly name: string
  readonly type: string
  readonly bytes: Buffer
}

export interface UploadedForm {
  readonly fields: Record<string, unknown>
  readonly files: readonly UploadedFile[]
}

const { fields: mostFields, uploadFieldsBytes } = budgets.bodies

/** Both kinds of slash: what a Windows client calls a folder is one here too. */
export const baseName = (name: string): string =>
  withoutControl(name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1))

/** No database takes a zero character, and no header a line break. */
const withoutControl = (name: string): string => name.replace(/\p{Cc}|\p{Surrogate}/gu, '')

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** JSON and form-encoded bodies have fields only. */
export const readUploads = async (
  request: FastifyRequest,
  limits: { fileBytes: number; files: number },
): Promise<UploadedForm> => {
  if (!request.isMultipart()) return { fields: isObject(request.body) ? request.body : {}, files: [] }
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') throw unsupportedMediaType(encoding)
  const fields: Record<string, unknown> = {}
  const files: UploadedFile[] = []
  let fieldsBytes = 0
  const parts = request.parts({
    limits: { fields: mostFields, fieldSize: uploadFieldsBytes, files: limits.files, fileSize: limits.fileBytes },
  })
  try {
    for await (const part of parts) {
      if (part.type === 'file') {
        const bytes = await part.toBuffer()
        files.push({ field: part.fieldname, name: baseName(part.filename ?? ''), type: part.mimetype, bytes })
        continue
      }
      // Each alone may be that large; so may all together.
      fieldsBytes += Buffer.byteLength(String(part.value))
      if (part.valueTruncated || fieldsBytes > uploadFieldsBytes) throw fieldsTooLarge(part.fieldname)
      fields[part.fieldname] = part.value
    }
  } catch (error) {
    throw uploadError(error, limits.fileBytes)
  }
  refuseFields(fields)
  return { fields, files }
}

const fieldsTooLarge = (name: string) =>
  tooLarge(`With the field "${name}", the fields are larger than ${uploadFieldsBytes} bytes.`)

const uploadError = (error: unknown, fileBytes: number): unknown => {
  const { code } = error as { code?: string }
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge(`A file is larger than ${fileBytes} bytes.`)
  // Limits have a status of their own; what the parser stumbles over has none.
  if ('status' in (error as object) || 'statusCode' in (error as object)) return error
  return badRequest('The multipart body could not be read: it is cut short or malformed.', 'multipart.malformed')
}
