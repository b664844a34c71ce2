// A form and what goes with it, as devices download them, whatever way they came.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { absent, sendContent, signInFirst } from '../../platform/http/index.js'
import { type FoundForm, findMetadata, findXml, listMetadata, type Metadata } from '../forms/index.js'
import { linkedFiles, sendLinked } from '../linked-data/index.js'
import { extensionOf } from '../uploads/index.js'
import { manifestXml } from './openrosa-xml.js'
import { openRosaHeaders, sendXml } from './submission.routes.js'

export const sendForm = async (db: Db, reply: FastifyReply, form: FoundForm) => {
  reply.headers(openRosaHeaders)
  const found = await findXml(db, form.id, form.versionNumber)
  return sendXml(reply, 200, found?.xml ?? '')
}

interface Manifest {
  readonly form: FoundForm
  /** What stands before the addresses of its files. */
  readonly base: string
  /** Whoever asks could sign in, and be shown more. */
  readonly mayBeAsked: boolean
  /** They have a role here: records of other forms, which files are made of, are shown to them. */
  readonly hasRole: boolean
}

const endingOf = ({ dataValue }: Metadata): string => extensionOf(dataValue) || 'bin'

export const sendManifest = async (deps: Deps, reply: FastifyReply, { form, base, mayBeAsked, hasRole }: Manifest) => {
  reply.headers(openRosaHeaders)
  const media = await listMetadata(deps.db, { formIds: [form.id], dataType: 'media' })
  const folder = `${base}/xformsMedia/${form.id}`
  const linked = await linkedFiles(deps, media, hasRole)
  // A device signs in when it is asked to, and only then: without the file it could not fill in the form.
  if (linked.isPart && mayBeAsked) throw signInFirst()
  const entries = media.flatMap((one) => {
    const link = linked.files.get(one.id)
    if (link !== undefined) {
      return [{ name: link.filename, hash: link.hash, address: `${folder}/${one.id}.${link.format}${link.query}` }]
    }
    if (one.fileKey === null) return []
    return [{ name: one.dataValue, hash: one.fileHash, address: `${folder}/${one.id}.${endingOf(one)}` }]
  })
  return sendXml(reply, 200, manifestXml(entries))
}

/** `5.csv` → 5. */
export const idOfFile = (file: string): number | undefined => {
  const id = /^(\d{1,9})\.[A-Za-z0-9]{1,10}$/.exec(file)?.[1]
  return id === undefined ? undefined : Number(id)
}

interface Media {
  readonly form: FoundForm
  readonly fileId: number | undefined
  /** What was announced. */
  readonly md5: string | undefined
  readonly hasRole: boolean
}

export const sendMedia = async (
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { form, fileId, md5, hasRole }: Media,
) => {
  reply.headers(openRosaHeaders)
  const one = fileId === undefined ? undefined : await findMetadata(deps.db, fileId)
  if (one?.formId !== form.id || one.dataType !== 'media') throw absent()
  const { fileKey, fileBytes } = one
  if (fileKey === null) {
    return sendLinked(deps, reply, { entry: one, hasRole, md5 })
  }
  return sendContent(request, reply, {
    name: one.dataValue,
    mimetype: one.fileType,
    tag: one.fileHash,
    packableBytes: fileBytes ?? 0,
    find: async () => ({
      bytes: fileBytes ?? 0,
      open: async (range) => (await deps.files.get(fileKey, range && { range })).stream,
    }),
  })
}
