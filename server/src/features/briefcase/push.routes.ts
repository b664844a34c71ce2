// Bringing a form in as Briefcase does: HEAD /upload asks where to, POST /formUpload sends it with its files.
import type { FastifyRequest } from 'fastify'
import { budgets } from '../../budgets.js'
import type { Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import {
  type App,
  AppError,
  type Caller,
  type ErrorRenderer,
  errors,
  FilePart,
  inMedia,
  NoBody,
} from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { type Compilers, type Pushed, pushForm, type SubmissionScope } from '../forms/index.js'
import { acceptAllMedia, putMedia } from '../metadata/index.js'
import { findScope, openRosaHeaders, PlaceParams, plainMessage, sendXml, xmlErrors } from '../openrosa/index.js'
import { dropUploads } from '../uploads/index.js'
import { bases } from './bases.js'
import { type PushedForm, receivingForm } from './pushed-form.js'

const words: Readonly<Record<Pushed['outcome'], string>> = {
  published: 'The form is published.',
  replaced: 'The form has a new version.',
  known: 'The form is there already.',
  former: 'This version is there already, and another one has followed it: nothing was changed, the files neither.',
}

const messageOf = ({ outcome, warning }: Pushed): string =>
  plainMessage([words[outcome], warning].filter(Boolean).join(' '))

/** The protocol has one text: what is wrong with which field is part of it. */
const pushErrors: ErrorRenderer = (error, requestId, request) => {
  const reasons = Object.values(error.fields ?? {}).flat()
  if (reasons.length === 0) return xmlErrors(error, requestId, request)
  return xmlErrors(
    new AppError({ code: error.code, status: error.status, message: reasons.join(' ') }),
    requestId,
    request,
  )
}

const FormParts = Type.Object(
  { form_def_file: FilePart('the XForm.', budgets.bodies.formBytes) },
  {
    'x-unchecked': true,
    description: 'Every other file part is a file that goes with the form.',
    examples: [{ form_def_file: '<h:html xmlns:h="http://www.w3.org/1999/xhtml"/>' }],
  },
)

const Receipt = inMedia(
  Type.Unknown({ description: 'It is there, with its files.', examples: [plainMessage(words.published)] }),
  'text/xml',
)

const pathOf = ({ originalUrl }: FastifyRequest): string => originalUrl.split('?', 1)[0] ?? ''

/** The form with its files, or neither: what is wrong with any of them is known before anything is stored. */
const pushWhole = async (
  deps: Deps,
  compilers: Compilers,
  caller: Caller,
  scope: SubmissionScope,
  { name, xml, media }: PushedForm,
): Promise<Pushed> => {
  const files = await acceptAllMedia(media)
  let stored: readonly string[] = []
  const along = async (tx: Db, formId: number) => {
    stored = await putMedia(tx, { formId, files, by: caller.id, now: deps.clock.now() })
  }
  const pushed = await pushForm(deps, compilers, caller, { scope, source: { kind: 'xform', name, bytes: xml }, along })
  const isNeeded = new Set(stored)
  const unneeded = media.map(({ upload }) => upload.key).filter((key) => !isNeeded.has(key))
  await dropUploads(deps, unneeded, undefined)
  return pushed
}

export const pushRoutes = async (app: App, deps: Deps, compilers: Compilers): Promise<void> => {
  for (const { path, name } of bases) {
    const config = { access: 'user', renderError: pushErrors } as const
    app.head(
      `${path}/upload`,
      {
        config: { ...config, operation: `briefcase.probe.${name}` },
        schema: {
          summary: 'Whether forms are taken here',
          tags: ['openrosa'],
          params: PlaceParams,
          response: { 204: NoBody, ...errors(400, 401, 404) },
        },
      },
      async (request, reply) => {
        await findScope(deps.db, request.caller, request.params)
        const address = `${request.origin}${pathOf(request).replace(/upload$/, 'formUpload')}`
        return reply
          .code(204)
          .headers({ ...openRosaHeaders, location: address })
          .send(null)
      },
    )
    app.post(
      `${path}/formUpload`,
      {
        config: { ...config, operation: `briefcase.push.${name}` },
        schema: {
          summary: 'Push a form',
          description:
            'Multipart: `form_def_file`, and files that go with the form. All of it is stored, or nothing. A form with the same id gets a new version. The same version again changes the form in nothing; files with it take the place of those of the same name, unless another version has followed.',
          tags: ['openrosa'],
          consumes: ['multipart/form-data'],
          params: PlaceParams,
          body: FormParts,
          response: { 201: Receipt, ...errors(400, 401, 403, 404, 409, 413, 415) },
        },
      },
      async (request, reply) => {
        reply.headers(openRosaHeaders)
        const { caller } = request
        const { submission: scope } = await findScope(deps.db, caller, request.params)
        const pushed = await receivingForm(deps, request, (body) => pushWhole(deps, compilers, caller, scope, body))
        return sendXml(reply, 201, messageOf(pushed))
      },
    )
  }
}
