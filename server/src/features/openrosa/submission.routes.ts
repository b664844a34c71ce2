// Submitting as devices do: POST and HEAD on /submission, also below an account, a project or a form.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../platform/deps.js'
import { type App, errors, FilePart, inMedia, limitKey, NoBody, originForm } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { namesIn } from '../credentials/index.js'
import type { Device, Submissions, Submitted, TargetScope } from '../submissions/index.js'
import { deviceOf } from './device.js'
import { plainMessage, receiptXml, xmlErrors, xmlType } from './openrosa-xml.js'
import { findScope, type Place, submissionScope } from './scope.js'
import { senderOf, shortcut } from './shortcut.js'
import { announcedBytes, readSubmission } from './submission-body.js'

export const openRosaHeaders = {
  'x-openrosa-version': '1.0',
  'x-openrosa-accept-content-length': String(announcedBytes),
}

export const PlaceParams = Type.Object({
  username: Type.Optional(
    Type.String({ maxLength: 254, description: 'The account that is collected for.', examples: ['ana'] }),
  ),
  project: Type.Optional(Type.String({ maxLength: 20, description: 'Project id.', examples: ['1'] })),
  form: Type.Optional(Type.String({ maxLength: 20, description: 'Form id.', examples: ['12'] })),
})

/** Where forms are listed and submissions are taken, and what operations there are called. */
const open = [
  { path: '', name: 'own' },
  { path: '/:username', name: 'account' },
  { path: '/projects/:project', name: 'project' },
  { path: '/forms/:form', name: 'form' },
  { path: '/:username/:form', name: 'account_form' },
] as const

/** Below `/me` everybody is asked to sign in, also where others need not: Enketo sends a password only where it was asked
 * for one, and without it neither edits nor has a record its sender. No account has a name that short. */
export const places = [
  ...open.map((place) => ({ ...place, access: 'anyone' as const })),
  ...open.map(({ path, name }) => ({ path: `/me${path}`, name: `me.${name}`, access: 'user' as const })),
]

const submissionExample =
  '<data id="visit" version="3"><name>Ana</name><meta><instanceID>uuid:5b2cc313-fc09-437e-8149-fcd32f695d41</instanceID></meta></data>'

export const SubmissionParts = Type.Object(
  {
    xml_submission_file: FilePart('the XML of the submission.', announcedBytes),
  },
  {
    'x-unchecked': true,
    description: 'Every other file part is a file that an answer names.',
    examples: [{ xml_submission_file: submissionExample }],
  },
)

const Xml = (description: string, example: string) =>
  inMedia(Type.Unknown({ description, examples: [example] }), 'text/xml')

export const ReceiptXml = Xml(
  'It is stored.',
  receiptXml({
    formId: 'visit',
    version: '3',
    uuid: '5b2cc313-fc09-437e-8149-fcd32f695d41',
    isEncrypted: false,
    submittedAt: new Date('2026-01-10T14:22:05Z'),
    modifiedAt: new Date('2026-01-10T14:22:05Z'),
  }),
)
export const DuplicateXml = Xml('The form has it already.', plainMessage('Duplicate submission'))

/** Whatever form the request names it in. */
export const addressOf = (request: FastifyRequest): string => request.origin + originForm(request.originalUrl)

export const sendXml = (reply: FastifyReply, status: number, xml: string) =>
  reply
    .code(status)
    .type(xmlType)
    .serializer((body: unknown) => body as string)
    .send(xml)

export const sendOutcome = (
  request: FastifyRequest,
  reply: FastifyReply,
  { form, outcome }: Submitted,
  words: { readonly message?: string } = {},
) => {
  reply.header('location', addressOf(request))
  if (outcome.kind === 'duplicate') return sendXml(reply, 202, plainMessage('Duplicate submission'))
  const { uuid, version, submittedAt, modifiedAt } = outcome
  const isEncrypted = form.publicKey !== ''
  const receipt = { formId: form.idString, version, uuid, isEncrypted, submittedAt, modifiedAt }
  return sendXml(reply, 201, receiptXml({ ...receipt, ...words }))
}

/** Reads the body, stores it, answers. */
export const submitXml = async (
  deps: Deps,
  submissions: Submissions,
  request: FastifyRequest,
  place: Place,
): Promise<Submitted> => {
  // Whoever is signed in is told by the form itself whether they may; of others the account may ask for it first, before
  // their body is read.
  if (request.caller.isAnonymous) await findScope(deps.db, request.caller, place)
  const device = deviceOf(request, null)
  return submitWithin(deps, submissions, request, { scope: submissionScope(place), device, sender: senderOf(request) })
}

interface Sent {
  readonly scope: TargetScope
  readonly device: Device
  /** By whom later submissions are known. */
  readonly sender: string
}

const signedIn = (request: FastifyRequest) =>
  request.caller.credential.kind === 'password' ? { names: namesIn(request), address: limitKey(request.ip) } : undefined

export const submitWithin = async (
  deps: Deps,
  submissions: Submissions,
  request: FastifyRequest,
  { scope, device, sender }: Sent,
): Promise<Submitted> => {
  const body = await readSubmission(deps, request)
  try {
    const submitter = { caller: request.caller, key: device.key, scope, signedIn: signedIn(request) }
    return await submissions.submit(submitter, body.xml, body.keepFiles, device, sender)
  } catch (error) {
    await body.drop(error)
    throw error
  }
}

/** Of the shortcut: the same as the handler's. */
export const sendStored = (request: FastifyRequest, reply: FastifyReply, submitted: Submitted) =>
  sendOutcome(request, reply.headers(openRosaHeaders), submitted)

export const submissionRoutes = async (app: App, deps: Deps, submissions: Submissions): Promise<void> => {
  app.decorateRequest('wholeBody', null)
  const byPrecedent = shortcut(submissions, { senderOf, answer: sendStored })
  for (const { path, name, access } of places) {
    const config = { access, renderError: xmlErrors, share: 'receiving' } as const
    app.post(
      `${path}/submission`,
      {
        config: { ...config, operation: `openrosa.submit.${name}`, shortcut: byPrecedent },
        schema: {
          summary: 'Submit a filled form',
          description: 'Multipart: `xml_submission_file`, and any number of files. 202: the form has it already.',
          tags: ['openrosa'],
          consumes: ['multipart/form-data'],
          params: PlaceParams,
          body: SubmissionParts,
          response: { 201: ReceiptXml, 202: DuplicateXml, ...errors(400, 401, 403, 404, 405, 409, 413, 415) },
        },
      },
      async (request, reply) => {
        reply.headers(openRosaHeaders)
        return sendOutcome(request, reply, await submitXml(deps, submissions, request, request.params))
      },
    )
    app.head(
      `${path}/submission`,
      {
        config: { ...config, operation: `openrosa.probe.${name}` },
        schema: {
          summary: 'Whether submissions are taken here, and how large',
          tags: ['openrosa'],
          params: PlaceParams,
          response: { 204: NoBody, ...errors(400, 401, 404) },
        },
      },
      async (request, reply) => {
        reply.headers(openRosaHeaders)
        await findScope(deps.db, request.caller, request.params)
        return reply.code(204).header('location', addressOf(request)).send(null)
      },
    )
  }
}
