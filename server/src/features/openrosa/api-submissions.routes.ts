// Submitting through the API: POST /api/v1/submissions, as devices do or as JSON.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { budgets } from '../../budgets.js'
import type { Deps } from '../../platform/deps.js'
import {
  type App,
  Detail,
  type ErrorRenderer,
  errors,
  FilePart,
  inMedia,
  invalid,
  jsonErrors,
  NoBody,
  refusals,
} from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { booleanOf } from '../../platform/words/index.js'
import type { Submissions } from '../submissions/index.js'
import { badSubmissionFormat, emptyJson } from './openrosa.errors.js'
import { xmlErrors } from './openrosa-xml.js'
import { senderOf, shortcut } from './shortcut.js'
import { addressOf, openRosaHeaders, sendOutcome, sendStored, submitXml } from './submission.routes.js'
import { announcedBytes } from './submission-body.js'
import { type JsonSubmitted, submitJson } from './submit-json.js'

const Body = Type.Object(
  {
    id: Type.Optional(Type.String({ maxLength: budgets.forms.idCharacters, description: 'Id of the form.' })),
    submission: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    xml_submission_file: Type.Optional(FilePart('the XML of the submission, instead of JSON.', announcedBytes)),
  },
  {
    'x-unchecked': true,
    examples: [
      {
        id: 'visit',
        submission: { name: 'Ana', age: 30, meta: { instanceID: 'uuid:5b2cc313-fc09-437e-8149-fcd32f695d41' } },
      },
    ],
  },
)

const Receipt = Type.Object(
  {
    message: Type.String(),
    formid: Type.String(),
    encrypted: Type.Boolean(),
    instanceID: Type.String(),
    submissionDate: Type.String(),
    markedAsCompleteDate: Type.String(),
    warnings: Type.Optional(
      Type.Array(Type.String(), { description: 'Of JSON: keys that the form does not ask for. They are kept.' }),
    ),
  },
  {
    examples: [
      {
        message: 'Successful submission.',
        formid: 'visit',
        encrypted: false,
        instanceID: 'uuid:5b2cc313-fc09-437e-8149-fcd32f695d41',
        submissionDate: '2026-01-10T14:22:05.000Z',
        markedAsCompleteDate: '2026-01-10T14:22:05.000Z',
      },
    ],
  },
)

const Query = Type.Object({
  strict: Type.Optional(
    Type.String({
      maxLength: 10,
      description:
        'true: JSON with keys that the form does not ask for is refused, and all of them are named. Default false.',
    }),
  ),
})

const isXml = (request: { headers: { 'content-type'?: string | undefined } }): boolean =>
  /^multipart\//i.test(request.headers['content-type'] ?? '')

/** In the protocol of the request: XML for devices, JSON for programs. */
const eitherErrors: ErrorRenderer = (error, requestId, request) =>
  (isXml(request) ? xmlErrors : jsonErrors)(error, requestId, request)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const jsonBody = (body: unknown): { id: string; submission: Record<string, unknown> } => {
  if (Array.isArray(body)) throw invalid({ non_field_errors: ['Invalid data'] })
  const { id, submission } = isObject(body) ? body : {}
  if (submission === undefined) throw invalid({ submission: ['No submission key provided.'] })
  if (!isObject(submission)) throw badSubmissionFormat()
  if (Object.keys(submission).length === 0) throw emptyJson()
  if (typeof id !== 'string' || id === '' || id.includes('\0')) throw invalid({ id: ['This field is required.'] })
  return { id, submission }
}

const sendReceipt = (request: FastifyRequest, reply: FastifyReply, { form, outcome, warnings }: JsonSubmitted) => {
  reply.header('location', addressOf(request))
  if (outcome.kind === 'duplicate') return reply.code(202).send({ detail: 'Duplicate submission' })
  return reply.code(201).send({
    message: 'Successful submission.',
    formid: form.idString,
    encrypted: form.publicKey !== '',
    instanceID: `uuid:${outcome.uuid}`,
    submissionDate: outcome.submittedAt.toISOString(),
    markedAsCompleteDate: outcome.modifiedAt.toISOString(),
    ...(warnings.length > 0 && { warnings }),
  })
}

export const apiSubmissionRoutes = async (app: App, deps: Deps, submissions: Submissions): Promise<void> => {
  app.decorateRequest('wholeBody', null)
  app.post(
    '/submissions',
    {
      config: {
        share: 'receiving',
        operation: 'submission.create',
        access: 'user',
        streamsBody: true,
        renderError: eitherErrors,
        shortcut: shortcut(submissions, { senderOf, answer: sendStored }),
      },
      schema: {
        summary: 'Submit a filled form',
        description:
          'As JSON: objects are groups, arrays of objects repeats, arrays of texts several choices; or a record as `/data` shows it, whose built-in fields are ignored. Without `meta.instanceID` the server makes one and tells it. Or as devices do: multipart with `xml_submission_file` and files. `meta.deprecatedID` names the version that this one replaces. 202: the form has it already.',
        tags: ['submissions'],
        consumes: ['application/json', 'multipart/form-data'],
        querystring: Query,
        body: Body,
        response: {
          201: inMedia(Receipt, 'application/json', 'text/xml'),
          202: inMedia(Detail, 'application/json', 'text/xml'),
          ...errors(401, 403, 404, 405, 409, 413, 415),
          ...refusals(400, Type.Array(Type.String())),
        },
      },
      bodyLimit: announcedBytes,
    },
    async (request, reply) => {
      reply.headers(openRosaHeaders)
      if (isXml(request)) return sendOutcome(request, reply, await submitXml(deps, submissions, request, {}))
      const isStrict = booleanOf(request.query.strict ?? '') === true
      const body = { ...jsonBody(request.body), isStrict }
      return sendReceipt(request, reply, await submitJson(deps, submissions, request.caller, body))
    },
  )

  app.head(
    '/submissions',
    {
      config: { share: 'receiving', operation: 'submission.probe', access: 'user', renderError: eitherErrors },
      schema: {
        summary: 'Whether submissions are taken here, and how large',
        tags: ['submissions'],
        response: { 204: NoBody, ...errors(401) },
      },
    },
    async (request, reply) =>
      reply.code(204).headers(openRosaHeaders).header('location', addressOf(request)).send(null),
  )
}
