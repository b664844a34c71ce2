// Files of records by form or record: /media.
import { extensions } from 'mime-types'
import type { Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import {
  type App,
  absent,
  Bytes,
  type Caller,
  errors,
  notFound,
  orAlso,
  orBytes,
  pageOf,
  readerOf,
  sendJsonText,
  sendLinks,
} from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { dataSight, visibleForm } from '../forms/index.js'
import { findRecord, recordIdOf, sightOf, sightOver } from '../sight/index.js'
import {
  type Attachment,
  countAttachments,
  findAttachment,
  listAttachments,
  type MediaFilter,
  type MediaPart,
} from './attachments.queries.js'
import { FileQuery, MediaCount, MediaCountQuery, MediaParams, MediaQuery, MediaView } from './attachments.schemas.js'
import { downloadAddress, mediaView } from './attachments.views.js'
import { isPictureSize } from './pictures.js'
import type { FileSender } from './send-file.js'

/** What `type` stands for; another word narrows nothing. */
const types: Readonly<Record<string, readonly string[]>> = {
  image: ['image/%'],
  audio: ['audio/%'],
  video: ['video/%'],
  document: [
    'application/pdf',
    'application/msword',
    'application/rtf',
    'application/vnd.ms-%',
    'application/vnd.openxmlformats-%',
    'application/vnd.oasis.opendocument.%',
    'text/%',
  ],
}

type Query = Readonly<Record<string, string | undefined>>

const typesOf = (type: string | undefined): readonly string[] | undefined =>
  type !== undefined && Object.hasOwn(types, type) ? types[type] : undefined

/** What a dataview shows is known further up; missing for whoever sees nothing of it. */
export type PartOf = (caller: Caller, dataview: string) => Promise<MediaPart>

/** Undefined: nothing is named, and nothing is listed. */
const filterOf = async (
  db: Db,
  partOf: PartOf,
  caller: Caller,
  { xform, instance, dataview, type }: Query,
): Promise<MediaFilter | undefined> => {
  const recordId = instance ? recordIdOf(instance) : undefined
  if (dataview) {
    const part = await partOf(caller, dataview)
    return { formId: part.formId, submissionId: recordId, part, types: typesOf(type) }
  }
  if (xform) {
    const form = await visibleForm(db, caller, xform)
    const sight = dataSight(form)
    if (sight === 'none') throw notFound()
    const record = recordId === undefined ? undefined : await findRecord(db, sightOver(caller, form), recordId)
    if (recordId !== undefined && record === undefined) throw notFound()
    const submittedBy = sight === 'own' ? caller.id : undefined
    return { formId: form.id, submissionId: record?.id, submittedBy, types: typesOf(type) }
  }
  if (recordId === undefined) return undefined
  const record = await findRecord(db, await sightOf(db, caller), recordId)
  if (record === undefined) throw notFound()
  return { formId: record.formId, submissionId: record.id, types: typesOf(type) }
}

/** The ending of its name, or one that its type has; `.json` is the description, as everywhere. */
const isEndingOf = ({ name, mimetype }: Attachment, ending: string): boolean =>
  name.toLowerCase().endsWith(`.${ending}`) ||
  (Object.hasOwn(extensions, mimetype) && extensions[mimetype]?.includes(ending) === true)

/** Endings that are formats of the whole API are cut off the address before it is routed, so the address is read as it
 * came. */
const endingOf = (address: string): string | undefined => {
  const ending = /\.([^./?]+)\/?(\?|$)/.exec(address.split('?', 1)[0] ?? '')?.[1]?.toLowerCase()
  return ending === 'json' ? undefined : ending
}

const findMedia = async (db: Db, caller: Caller, pk: string): Promise<Attachment> => {
  const [, id] = /^(\d{1,15})(?:\.[^.]+)?$/.exec(pk) ?? []
  const file = id === undefined ? undefined : await findAttachment(db, await sightOf(db, caller), Number(id))
  if (file === undefined) throw notFound()
  return file
}

export const mediaRoutes = async (app: App, { db }: Deps, sender: FileSender, partOf: PartOf): Promise<void> => {
  app.get(
    '/media',
    {
      config: { operation: 'media.list', access: 'anyone' },
      schema: {
        summary: 'Files of a form or of a record',
        description: 'Those of records that the caller may see. Without `xform`, `instance` and `dataview` none.',
        tags: ['attachments'],
        querystring: MediaQuery,
        response: { 200: Type.Array(MediaView), ...errors(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const { query, caller, origin } = request
      const filter = await filterOf(db, partOf, caller, query)
      if (filter === undefined) return []
      const reading = db.readBy(readerOf(request))
      const page = pageOf(query, await countAttachments(reading, filter))
      sendLinks(request, reply, page)
      const listed = await listAttachments(reading, filter, { offset: page.offset, limit: page.size })
      return listed.map((one) => mediaView(origin, one))
    },
  )

  app.get(
    '/media/count',
    {
      config: { operation: 'media.count', access: 'anyone' },
      schema: {
        summary: 'How many files a form or a record has',
        tags: ['attachments'],
        querystring: MediaCountQuery,
        response: { 200: MediaCount, ...errors(400, 401, 404) },
      },
    },
    async (request) => {
      const filter = await filterOf(db, partOf, request.caller, request.query)
      if (filter === undefined) return { count: 0 }
      return { count: await countAttachments(db.readBy(readerOf(request)), filter) }
    },
  )

  app.get(
    '/media/:id',
    {
      config: { operation: 'media.get', access: 'anyone', formats: [] },
      compress: false,
      schema: {
        summary: 'One file of a record',
        description:
          'As JSON; with the ending of its name (`/media/5.jpg`) its bytes; with `filename` the address of its bytes.',
        tags: ['attachments'],
        params: MediaParams,
        querystring: FileQuery,
        response: {
          200: orAlso(orBytes(MediaView, 'The file, its bytes, or their address.'), Type.String()),
          206: Bytes('A range of the bytes.'),
          ...errors(400, 401, 404, 416),
        },
      },
    },
    async (request, reply) => {
      const { params, query, caller, origin } = request
      const file = await findMedia(db, caller, params.id)
      const ending = endingOf(request.originalUrl)
      if (ending !== undefined) {
        if (!isEndingOf(file, ending)) throw absent()
        return query.suffix
          ? sender.sendPicture(request, reply, file, query.suffix)
          : sender.sendOriginal(request, reply, file)
      }
      if (query.filename === undefined) return mediaView(origin, file)
      if (query.filename !== file.storedName) throw absent()
      const size = query.suffix !== undefined && isPictureSize(query.suffix) ? query.suffix : undefined
      return sendJsonText(reply, downloadAddress(origin, file, size))
    },
  )
}
