// Metadata: /metadata. Read by whoever sees what it hangs on, written by whoever may change that.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Room } from '../../platform/deps.js'
import {
  absent,
  Bytes,
  badRequest,
  type Caller,
  errors,
  forbidden,
  NoBody,
  notFound,
  orBytes,
  pageOf,
  Redirect,
  readBody,
  refusals,
  sendContent,
  sendLinks,
} from '../../platform/http/index.js'
import { sendPage } from '../../platform/long-lists/index.js'
import { Type } from '../../platform/schema/index.js'
import { isWebAddress, textOf } from '../../platform/words/index.js'
import {
  asFormManager,
  deleteMetadata,
  findMetadata,
  isSecretType,
  liftRestriction,
  linkIn,
  type Metadata,
  MetadataView,
  metadataView,
  restrictionType,
} from '../forms/index.js'
import { sendLinked } from '../linked-data/index.js'
import { extensionOf } from '../uploads/index.js'
import { addEntry, holderFor, restrict } from './add-entry.js'
import { findHolder, type Holder, holderOf, mayRead, type Named } from './holders.js'
import { receiving } from './incoming.js'
import { largestOfAll } from './media-files.js'
import { countEntries, listEntries } from './metadata.queries.js'
import {
  CreateMetadata,
  dataTypes,
  MetadataParams,
  MetadataQuery,
  MetadataUpload,
  PatchMetadata,
} from './metadata.schemas.js'

const address = /^(\d{1,9})(?:\.([A-Za-z0-9]{1,10}))?$/

interface FoundEntry {
  readonly entry: Metadata
  readonly holder: Holder
}

const idIn = (name: string, text: string | undefined): number | undefined => {
  if (text === undefined || text === '') return undefined
  if (!/^\d{1,15}$/.test(text)) throw badRequest(`${name}: A valid integer is required.`)
  return Number(text)
}

export const metadataRoutes: Room = async (app, deps) => {
  const { db, files, clock } = deps
  const readCreation = readBody(CreateMetadata)

  const findEntry = async (caller: Caller, pk: string): Promise<FoundEntry> => {
    const id = address.exec(pk)?.[1]
    const entry = id === undefined ? undefined : await findMetadata(db, Number(id))
    const holder = entry && (await holderOf(db, caller, entry))
    if (entry === undefined || holder === undefined || !mayRead(holder, entry.dataType)) throw notFound()
    return { entry, holder }
  }

  const changeableEntry = async (caller: Caller, pk: string) => {
    const found = await findEntry(caller, pk)
    const { entry, holder } = found
    if (!(entry.dataType === restrictionType ? holder.mayManage : holder.mayChange)) throw forbidden()
    return found
  }

  /** The file itself, or where it lies; records that a link leads to as a file. */
  const sendBytes = (request: FastifyRequest, reply: FastifyReply, found: FoundEntry, ending: string) => {
    const { entry, holder } = found
    const { fileKey, fileBytes, fileHash, fileType, dataValue } = entry
    if (fileKey === null) {
      const link = entry.dataType === 'media' ? linkIn(dataValue) : undefined
      if (link?.format === ending) {
        return sendLinked(deps, reply, { entry, hasRole: holder.hasRole })
      }
      if (!isWebAddress(dataValue)) throw absent()
      // As the parser writes it: no header takes more than ASCII.
      return reply.redirect(new URL(dataValue).href, 302)
    }
    if (extensionOf(dataValue) !== ending) throw absent()
    return sendContent(request, reply, {
      name: dataValue,
      mimetype: fileType,
      tag: fileHash.replace('md5:', ''),
      find: async () => ({
        bytes: fileBytes ?? 0,
        open: async (range) => (await files.get(fileKey, range && { range })).stream,
      }),
    })
  }

  app.get(
    '/metadata',
    {
      config: { operation: 'metadata.list', access: 'anyone' },
      schema: {
        summary: 'List metadata',
        description:
          'Of a form, a project or a submission; without any of them, of every form and project that the caller has a role on.',
        tags: ['metadata'],
        querystring: MetadataQuery,
        response: { 200: Type.Array(MetadataView), ...errors(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const { query, caller, origin } = request
      const named: Named = {
        xform: idIn('xform', query.xform),
        project: idIn('project', query.project),
        instance: idIn('instance', query.instance),
      }
      const isNamed = Object.values(named).some((id) => id !== undefined)
      const holder = isNamed ? await findHolder(db, caller, named) : undefined
      if (isNamed && holder === undefined) throw notFound()
      const types = dataTypes.filter((type) => (holder === undefined ? !isSecretType(type) : mayRead(holder, type)))
      const filter = { callerId: caller.id, holder, types, dataType: query.data_type || undefined }
      const page = pageOf(query, await countEntries(db, filter))
      sendLinks(request, reply, page)
      return sendPage(reply, {
        page,
        read: (range) => listEntries(db, filter, range),
        shown: (entries) => entries.map((entry) => metadataView(origin, entry)),
      })
    },
  )

  app.post(
    '/metadata',
    {
      config: { operation: 'metadata.create', access: 'user', streamsBody: true },
      schema: {
        summary: 'Add metadata',
        description:
          'A file (multipart part `data_file`), an address, or a link to the records of a form. For those who may change what it is added to; `xform_meta_perms` for managers and owners.',
        tags: ['metadata'],
        consumes: ['multipart/form-data', 'application/json'],
        body: MetadataUpload,
        response: {
          201: MetadataView,
          ...errors(401, 403, 404, 413, 415),
          ...refusals(400, Type.Array(Type.String())),
        },
      },
      bodyLimit: largestOfAll,
    },
    (request, reply) =>
      receiving(deps, request, async ({ fields, file }) => {
        const { caller, origin } = request
        const holder = await holderFor(deps, caller, namedIn(fields))
        const id = await addEntry(deps, caller, holder, readCreation(fields), { file })
        const view = metadataView(origin, (await findMetadata(db, id)) as Metadata)
        return reply.code(201).header('location', view.url).send(view)
      }),
  )

  app.get(
    '/metadata/:pk',
    {
      config: { operation: 'metadata.get', access: 'anyone', formats: ['json', 'csv', 'xml', 'geojson'] },
      compress: false,
      schema: {
        summary: 'One entry, or its file',
        description:
          'With the ending of the file, its bytes: to be saved, in ranges (206, 416) and with `If-None-Match` (304). An entry that is an address leads there (302).',
        tags: ['metadata'],
        params: MetadataParams,
        response: {
          200: orBytes(MetadataView, 'The entry, or the bytes of its file.'),
          206: Bytes('The range that was asked for.'),
          302: Redirect,
          ...errors(401, 404, 416),
        },
      },
    },
    async (request, reply) => {
      const { params, caller, origin, format } = request
      const found = await findEntry(caller, params.pk)
      const ending = format === 'json' ? address.exec(params.pk)?.[2]?.toLowerCase() : format
      return ending === undefined ? metadataView(origin, found.entry) : sendBytes(request, reply, found, ending)
    },
  )

  app.patch(
    '/metadata/:pk',
    {
      config: { operation: 'metadata.patch', access: 'user' },
      schema: {
        summary: 'Change what a form makes of roles',
        description: 'Of `xform_meta_perms` only: every other entry is deleted and added anew.',
        tags: ['metadata'],
        params: MetadataParams,
        body: PatchMetadata,
        response: { 200: MetadataView, ...errors(400, 401, 403, 404) },
      },
    },
    async ({ params, caller, body, origin }) => {
      const { entry, holder } = await changeableEntry(caller, params.pk)
      if (entry.dataType !== restrictionType) {
        throw badRequest(`Entries of type ${entry.dataType} do not change. Delete it and add another.`)
      }
      const id = await restrict(deps, caller, holder, body.data_value)
      return metadataView(origin, (await findMetadata(db, id)) as Metadata)
    },
  )

  app.delete(
    '/metadata/:pk',
    {
      config: { operation: 'metadata.delete', access: 'user' },
      schema: {
        summary: 'Delete metadata',
        tags: ['metadata'],
        params: MetadataParams,
        response: { 204: NoBody, ...errors(401, 403, 404) },
      },
    },
    async ({ params, caller }, reply) => {
      const { entry } = await changeableEntry(caller, params.pk)
      if (entry.dataType === restrictionType && entry.formId !== null) {
        await asFormManager(db, caller, entry.formId, (tx, form) => liftRestriction(tx, form.id, clock.now()))
      } else await deleteMetadata(db, entry.id, clock.now())
      return reply.code(204).send(null)
    },
  )
}

/** What is named, as far as it can be read: whether the rest is right is for those who may write there. */
const namedIn = (fields: Readonly<Record<string, unknown>>) => {
  const id = (value: unknown) => {
    if (value === undefined || value === '' || value === null) return undefined
    return /^\d{1,15}$/.test(textOf(value).trim()) ? Number(value) : 0
  }
  return {
    xform: id(fields.xform),
    project: id(fields.project),
    instance: id(fields.instance),
    data_type: fields.data_type,
  }
}
