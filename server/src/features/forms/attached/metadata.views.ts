// How media, documents and links look on the wire.
import { type Static, Type } from '../../../platform/schema/index.js'
import { isUrl } from '../../../platform/words/index.js'
import { extensionOf } from '../../uploads/index.js'
import type { Metadata } from './metadata.queries.js'

const Address = Type.String({ format: 'uri' })

export const MetadataView = Type.Object(
  {
    id: Type.Integer(),
    xform: Type.Union([Type.Integer(), Type.Null()]),
    project: Type.Union([Type.Integer(), Type.Null()]),
    instance: Type.Union([Type.Integer(), Type.Null()]),
    data_value: Type.String(),
    data_type: Type.String(),
    data_file: Type.Union([Type.String(), Type.Null()]),
    extra_data: Type.Record(Type.String(), Type.Unknown()),
    data_file_type: Type.Union([Type.String(), Type.Null()]),
    media_url: Type.Union([Address, Type.Null()]),
    file_hash: Type.Union([Type.String(), Type.Null()]),
    url: Address,
    date_created: Type.String({ format: 'date-time' }),
  },
  {
    examples: [
      {
        id: 5,
        xform: 12,
        data_value: 'people.csv',
        data_type: 'media',
        data_file: 'people.csv',
        data_file_type: 'text/csv',
        media_url: 'http://127.0.0.1:8080/api/v1/metadata/5.csv',
        file_hash: 'md5:9d9e3f6a2f6b8c1d0e5f4a3b2c1d0e9f',
        url: 'http://127.0.0.1:8080/api/v1/metadata/5',
        date_created: '2026-01-10T14:22:20.394Z',
      },
    ],
  },
)

export const metadataView = (origin: string, one: Metadata): Static<typeof MetadataView> => {
  const url = `${origin}/api/v1/metadata/${one.id}`
  // As it is sent over the wire, whatever alphabet it was written in.
  const isAddress = /^https?:\/\//i.test(one.dataValue) && isUrl(one.dataValue)
  const ending = extensionOf(one.dataValue)
  return {
    id: one.id,
    xform: one.submissionId === null ? one.formId : null,
    project: one.projectId,
    instance: one.submissionId,
    data_value: one.dataValue,
    data_type: one.dataType,
    data_file: one.fileKey === null ? null : one.dataValue,
    extra_data: one.extra,
    data_file_type: one.fileType === '' ? null : one.fileType,
    media_url:
      one.fileKey === null
        ? isAddress
          ? new URL(one.dataValue).href
          : null
        : `${url}${ending === '' ? '' : `.${ending}`}`,
    file_hash: one.fileHash === '' ? null : one.fileHash,
    url,
    date_created: one.createdAt.toISOString(),
  }
}
