// What a form was made from, and the XForm that was made of it, as files.
import type { FastifyReply } from 'fastify'
import type { Files } from '../../../platform/files/index.js'
import { absent, dispositionOf } from '../../../platform/http/index.js'

export const spreadsheets: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    xls: 'application/vnd.ms-excel',
    xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    xlsm: 'application/vnd.ms-excel.sheet.macroEnabled.12',
    csv: 'text/csv; charset=utf-8',
  }),
)

const endingOf = (name: string): string => name.toLowerCase().split('.').at(-1) ?? ''

/** Whether `sendSource` would send it. */
export const isDownloadable = (name: string): boolean => spreadsheets.has(endingOf(name))

/** A name that needs no quotes has none, as clients of this API family know it. */
const attachmentNamed = (name: string): string =>
  /^[\w.-]+$/.test(name) ? `attachment; filename=${name}` : dispositionOf(name)

export interface AskedSource {
  readonly source: { readonly key: string; readonly name: string } | undefined
  /** The ending that it should have. */
  readonly wanted?: string | undefined
  readonly idString: string
}

/** The bytes as they were uploaded: no other format is made of them. */
export const sendSource = async (
  files: Pick<Files, 'get'>,
  reply: FastifyReply,
  { source, wanted, idString }: AskedSource,
): Promise<FastifyReply> => {
  const ending = endingOf(source?.name ?? '')
  const type = spreadsheets.get(ending)
  if (source === undefined || type === undefined || (wanted ?? ending) !== ending) throw absent()
  const { stream, bytes } = await files.get(source.key)
  return reply
    .type(type)
    .header('content-length', bytes)
    .header('content-disposition', attachmentNamed(`${idString}.${ending}`))
    .send(stream)
}

export const sendXForm = (reply: FastifyReply, xml: string): FastifyReply =>
  reply
    .type('text/xml; charset=utf-8')
    .serializer((body: unknown) => body as string)
    .send(xml)
