// What a phone sees of a form that is tried out, by the key of its draft: that draft and nothing else.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../platform/deps.js'
import { absent, sendContent } from '../../platform/http/index.js'
import {
  type DeviceDraft,
  type DraftMedia,
  type DraftReceiving,
  findDraftMedia,
  findDraftOfKey,
  getDraftTexts,
  listDraftMedia,
  testName,
} from '../drafts/index.js'
import { findMetadata, listMetadata } from '../forms/index.js'
import { deadKey } from '../keys/index.js'
import { linkedFiles, sendLinked } from '../linked-data/index.js'
import { extensionOf } from '../uploads/index.js'
import { deviceOf } from './device.js'
import { idOfFile } from './form-files.js'
import { formListXml, manifestXml, plainMessage, receiptXml } from './openrosa-xml.js'
import { addressOf, openRosaHeaders, sendXml } from './submission.routes.js'
import { readSubmission } from './submission-body.js'

/** The key is good as long as its draft is there. */
const draftIn = async ({ db }: Deps, { deviceKey }: FastifyRequest): Promise<DeviceDraft> => {
  const draft = await findDraftOfKey(db, deviceKey.id)
  if (draft === undefined) throw deadKey('draft')
  return draft
}

/** The same, by the id of its form. */
const namedDraft = async (deps: Deps, request: FastifyRequest, pk: string): Promise<DeviceDraft> => {
  const draft = await draftIn(deps, request)
  if (String(draft.formId) !== pk) throw absent()
  return draft
}

export const sendDraftList = async (
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { base, idString }: { readonly base: string; readonly idString: string | undefined },
) => {
  const draft = await draftIn(deps, request)
  const isAsked = idString === undefined || idString.toLowerCase() === draft.idString.toLowerCase()
  const listed = { ...draft, id: draft.formId, title: testName(draft.title) }
  return sendXml(
    reply,
    200,
    formListXml(isAsked ? [listed] : [], () => base),
  )
}

export const sendDraft = async (deps: Deps, request: FastifyRequest, reply: FastifyReply, pk: string) => {
  const draft = await namedDraft(deps, request, pk)
  const texts = await getDraftTexts(deps.db, draft.id)
  if (texts === undefined) throw deadKey('draft')
  return sendXml(reply.headers(openRosaHeaders), 200, texts.xml)
}

/** Links lead to what the form itself links to; whoever made the draft manages it. */
const entriesOf = async (deps: Deps, formId: number, media: readonly DraftMedia[], folder: string) => {
  const isLinked = media.some(({ metadataId }) => metadataId !== null)
  const ofForm = isLinked ? await listMetadata(deps.db, { formIds: [formId], dataType: 'media' }) : []
  const byId = new Map(ofForm.map((entry) => [entry.id, entry]))
  const entries = media.flatMap(({ id, metadataId }) => {
    const entry = metadataId === null ? undefined : byId.get(metadataId)
    return entry === undefined ? [] : [{ id, entry }]
  })
  const linked = await linkedFiles(
    deps,
    entries.map(({ entry }) => entry),
    true,
  )
  const ofLinks = entries.flatMap(({ id, entry }) => {
    const link = linked.files.get(entry.id)
    if (link === undefined) return []
    return [{ name: link.filename, hash: link.hash, address: `${folder}/${id}.${link.format}${link.query}` }]
  })
  const ofFiles = media.flatMap(({ id, name, fileKey, fileHash }) =>
    fileKey === null ? [] : [{ name, hash: fileHash, address: `${folder}/${id}.${extensionOf(name) || 'bin'}` }],
  )
  return [...ofFiles, ...ofLinks]
}

export const sendDraftManifest = async (
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { base, pk }: { readonly base: string; readonly pk: string },
) => {
  const draft = await namedDraft(deps, request, pk)
  const media = (await listDraftMedia(deps.db, draft.id)).filter(({ change }) => change !== 'removed')
  const entries = await entriesOf(deps, draft.formId, media, `${base}/xformsMedia/${draft.formId}`)
  return sendXml(reply.headers(openRosaHeaders), 200, manifestXml(entries))
}

export const sendDraftMedia = async (
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { pk, file }: { readonly pk: string; readonly file: string },
) => {
  const draft = await namedDraft(deps, request, pk)
  const id = idOfFile(file)
  const one = id === undefined ? undefined : await findDraftMedia(deps.db, draft.id, id)
  reply.headers(openRosaHeaders)
  if (one === undefined) throw absent()
  const { fileKey, fileBytes, metadataId } = one
  if (fileKey === null) {
    const entry = metadataId === null ? undefined : await findMetadata(deps.db, metadataId)
    if (entry === undefined) throw absent()
    return sendLinked(deps, reply, { entry, hasRole: true, md5: (request.query as { hash?: string }).hash })
  }
  return sendContent(request, reply, {
    name: one.name,
    mimetype: one.fileType,
    tag: one.fileHash,
    packableBytes: fileBytes ?? 0,
    find: async () => ({
      bytes: fileBytes ?? 0,
      open: async (range) => (await deps.files.get(fileKey, range && { range })).stream,
    }),
  })
}

/** Into the tables of drafts: no record of the form, whatever is sent. */
export const submitToDraft = async (
  { deps, receiving }: { readonly deps: Deps; readonly receiving: DraftReceiving },
  request: FastifyRequest,
  reply: FastifyReply,
  words: { readonly message: string },
) => {
  const { deviceKey } = request
  const draft = await draftIn(deps, request)
  const body = await readSubmission(deps, request)
  try {
    const { id: deviceId } = deviceOf(request, deviceKey)
    const { xml, keepFiles } = body
    const outcome = await receiving.receive({ draft, key: deviceKey, deviceId, xml, keepFiles })
    reply.header('location', addressOf(request))
    if (!outcome.isNew) return await sendXml(reply, 202, plainMessage('Duplicate submission'))
    const { uuid, version, receivedAt } = outcome
    const receipt = { formId: draft.idString, version, uuid, isEncrypted: draft.publicKey !== '' }
    return await sendXml(
      reply,
      201,
      receiptXml({ ...words, ...receipt, submittedAt: receivedAt, modifiedAt: receivedAt }),
    )
  } catch (error) {
    await body.drop(error)
    throw error
  }
}
