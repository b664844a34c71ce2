// What devices without accounts call: everything below /key/{token}. The key is all that they have to sign in with, so every
// address in the answers stays below it.
import type { FastifyRequest } from 'fastify'
import { largestId } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { type App, absent, answerEarly, Bytes, errors, NoBody } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { DraftReceiving } from '../drafts/index.js'
import { type FoundForm, takesRecords } from '../forms/index.js'
import {
  type Doing,
  deadKey,
  findFormOfKey,
  formNotOfKey,
  hashOfShown,
  isLinkFull,
  isTrulyEmpty,
  listFormsOfKey,
  sightingsOf,
} from '../keys/index.js'
import type { Device, Submissions } from '../submissions/index.js'
import { deviceOf } from './device.js'
import { sendDraft, sendDraftList, sendDraftManifest, sendDraftMedia, submitToDraft } from './draft-door.js'
import { idOfFile, sendForm, sendManifest, sendMedia } from './form-files.js'
import { FormList, FormXml, ListQuery, Manifest, MediaQuery } from './form-list.routes.js'
import { closedForm } from './openrosa.errors.js'
import { formListXml, xmlErrors } from './openrosa-xml.js'
import { shortcut } from './shortcut.js'
import {
  addressOf,
  DuplicateXml,
  openRosaHeaders,
  ReceiptXml,
  SubmissionParts,
  sendOutcome,
  sendXml,
  submitWithin,
} from './submission.routes.js'

const token = Type.String({
  maxLength: 500,
  description: 'Of the key.',
  examples: ['3Qm0vJ5kZr8cYtX2sLwN7aBd9fGh1JkP'],
})
const pk = Type.String({ maxLength: 20, description: 'Form id.', examples: ['12'] })
const file = Type.String({ maxLength: 100, description: 'Id of the file, with its ending.', examples: ['5.csv'] })
const KeyAddress = Type.Object({ token })
const FormAddress = Type.Object({ token, pk })
const MediaAddress = Type.Object({ token, pk, file })

/** Collect shows exactly this in the language of its user. */
const success = { message: 'full submission upload was successful!' }

const config = { access: 'key', renderError: xmlErrors } as const
const receivingConfig = { ...config, share: 'receiving' } as const

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a route below /key: how many records came of it, */
    recordsMade: number
    /** and who says to have sent them; null: nobody asked. */
    sendingDevice: Device | null
  }
}

/** What a device was doing, by operation. */
const doingOf: ReadonlyMap<string | undefined, Doing> = new Map([
  ['key.door.form_list', 'list'],
  ['key.door.form', 'other'],
  ['key.door.manifest', 'other'],
  ['key.door.media', 'other'],
  ['key.door.probe', 'other'],
  ['key.door.submit', 'submission'],
])

interface Rooms {
  readonly deps: Deps
  /** What receiving goes through. */
  readonly receiving: Deps
  readonly submissions: Submissions
}

/** Its forms; 403 for another one of its project, 404 for any other. */
const formOf = async ({ db }: Deps, { deviceKey }: FastifyRequest, text: string): Promise<FoundForm> => {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : 0
  const form = id > 0 && id <= largestId ? await findFormOfKey(db, deviceKey, id) : undefined
  if (form === undefined) throw absent()
  if (!form.access.may('view')) throw formNotOfKey()
  if (!takesRecords(form)) throw closedForm()
  return form
}

/** Strangers have links: what they could not read without one they do not read with it. */
const hasRole = ({ deviceKey }: FastifyRequest): boolean => deviceKey.kind !== 'link'

const downloads = (app: App, deps: Deps): void => {
  const { db, clock } = deps
  const baseIn = ({ origin }: FastifyRequest, { token }: { token: string }) => `${origin}/key/${token}`

  app.get(
    '/key/:token/formList',
    {
      config: { ...config, operation: 'key.door.form_list' },
      schema: {
        summary: 'Forms that a key opens',
        description: '403 for a key that is not good: a phone would delete its forms for an empty list.',
        tags: ['openrosa'],
        params: KeyAddress,
        querystring: ListQuery,
        response: { 200: FormList, 304: NoBody, ...errors(400, 403, 429) },
      },
    },
    async (request, reply) => {
      reply.headers(openRosaHeaders)
      const { deviceKey, query, params } = request
      if (deviceKey.kind === 'draft') {
        return sendDraftList(deps, request, reply, {
          base: baseIn(request, params),
          idString: query.formID || undefined,
        })
      }
      const forms = await listFormsOfKey(db, deviceKey, { idString: query.formID || undefined, now: clock.now() })
      if (forms.length === 0 && !(await isTrulyEmpty(db, deviceKey))) throw deadKey(deviceKey.kind)
      return sendXml(
        reply,
        200,
        formListXml(forms, () => baseIn(request, params)),
      )
    },
  )

  app.get(
    '/key/:token/forms/:pk/form.xml',
    {
      config: { ...config, operation: 'key.door.form' },
      schema: {
        summary: 'A form that a key opens',
        description: '403 for a link that has reached its limit: nobody should answer what is not taken.',
        tags: ['openrosa'],
        params: FormAddress,
        response: { 200: FormXml, 304: NoBody, ...errors(403, 404, 429) },
      },
    },
    async (request, reply) => {
      const { pk } = request.params
      if (request.deviceKey.kind === 'draft') return sendDraft(deps, request, reply, pk)
      const form = await formOf(deps, request, pk)
      if (request.deviceKey.kind === 'link' && (await isLinkFull(db, request.deviceKey))) throw deadKey('link', 'full')
      return sendForm(db, reply, form)
    },
  )

  app.get(
    '/key/:token/xformsManifest/:pk',
    {
      config: { ...config, operation: 'key.door.manifest' },
      schema: {
        summary: 'Files that go with a form',
        tags: ['openrosa'],
        params: FormAddress,
        response: { 200: Manifest, 304: NoBody, ...errors(403, 404, 429) },
      },
    },
    async (request, reply) => {
      const { pk } = request.params
      if (request.deviceKey.kind === 'draft') {
        return sendDraftManifest(deps, request, reply, { base: baseIn(request, request.params), pk })
      }
      const form = await formOf(deps, request, pk)
      return sendManifest(deps, reply, {
        form,
        base: baseIn(request, request.params),
        mayBeAsked: false,
        hasRole: hasRole(request),
      })
    },
  )

  app.get(
    '/key/:token/xformsMedia/:pk/:file',
    {
      config: { ...config, operation: 'key.door.media' },
      schema: {
        summary: 'A file that goes with a form',
        tags: ['openrosa'],
        params: MediaAddress,
        querystring: MediaQuery,
        response: {
          200: Bytes('The bytes.'),
          206: Bytes('The range that was asked for.'),
          304: NoBody,
          ...errors(403, 404, 429),
        },
      },
    },
    async (request, reply) => {
      if (request.deviceKey.kind === 'draft') return sendDraftMedia(deps, request, reply, request.params)
      const form = await formOf(deps, request, request.params.pk)
      return sendMedia(deps, request, reply, {
        form,
        fileId: idOfFile(request.params.file),
        md5: request.query.hash,
        hasRole: hasRole(request),
      })
    },
  )
}

export const keyDoorRoutes = async (app: App, { deps, receiving, submissions }: Rooms): Promise<void> => {
  app.decorateRequest('deviceKey', null as never)
  app.decorateRequest('recordsMade', 0)
  app.decorateRequest('sendingDevice', null)
  answerEarly(app)
  downloads(app, deps)
  const sightings = sightingsOf(deps)
  const drafts = new DraftReceiving(receiving)
  const senderOf = (request: FastifyRequest): string => hashOfShown(deps.secrets, request) ?? ''
  const byPrecedent = shortcut(submissions, {
    senderOf,
    answer: (request, reply, submitted) => sendOutcome(request, reply.headers(openRosaHeaders), submitted, success),
    letIn: (request, key, device) => {
      request.deviceKey = key
      request.sendingDevice = device
      request.recordsMade = 1
    },
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { deviceKey, routeOptions } = request
    const doing = doingOf.get(routeOptions.config.operation)
    // What was refused is no sign of life that helps anybody.
    if (deviceKey !== null && doing !== undefined && reply.statusCode < 400) {
      const device = request.sendingDevice ?? deviceOf(request, deviceKey)
      sightings.note(deviceKey.id, device, doing, request.recordsMade)
    }
    done()
  })
  app.addHook('onClose', () => sightings.flush({ isLast: true }))

  app.post(
    '/key/:token/submission',
    {
      config: { ...receivingConfig, operation: 'key.door.submit', shortcut: byPrecedent },
      schema: {
        summary: 'Submit a filled form by a key',
        description: 'As `/submission`. 403 before the body is read, where the key is not good.',
        tags: ['openrosa'],
        consumes: ['multipart/form-data'],
        params: KeyAddress,
        body: SubmissionParts,
        response: { 201: ReceiptXml, 202: DuplicateXml, ...errors(400, 403, 404, 405, 409, 413, 415, 429) },
      },
    },
    async (request, reply) => {
      reply.headers(openRosaHeaders)
      const { deviceKey } = request
      if (deviceKey.kind === 'draft')
        return submitToDraft({ deps: receiving, receiving: drafts }, request, reply, success)
      const scope = { kind: 'key', keyId: deviceKey.id, isOfForm: deviceKey.formId !== null } as const
      const device = deviceOf(request, deviceKey)
      request.sendingDevice = device
      const submitted = await submitWithin(receiving, submissions, request, {
        scope,
        device,
        sender: senderOf(request),
      })
      if (submitted.outcome.kind === 'created') request.recordsMade = 1
      return sendOutcome(request, reply, submitted, success)
    },
  )

  app.head(
    '/key/:token/submission',
    {
      config: { ...receivingConfig, operation: 'key.door.probe' },
      schema: {
        summary: 'Whether submissions are taken here, and how large',
        tags: ['openrosa'],
        params: KeyAddress,
        response: { 204: NoBody, ...errors(403, 429) },
      },
    },
    async (request, reply) =>
      reply.code(204).headers(openRosaHeaders).header('location', addressOf(request)).send(null),
  )
}
