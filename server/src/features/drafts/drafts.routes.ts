// A form that is tried out before it is published: /forms/{pk}/draft, /projects/{pk}/drafts. For those who may replace the form.
import { brokenConstraint } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { type App, type Caller, errors, invalid, NoBody, readUploads, refusals } from '../../platform/http/index.js'
import {
  type Compilers,
  definitionFor,
  FormParams,
  FormRefusal,
  FormSource,
  FormView,
  formDetail,
  type GoneWithForms,
  largestFormBytes,
  publishForm,
  readDraft,
  refuseReplacement,
  sourceOf,
  versionFault,
} from '../forms/index.js'
import { ProjectParams, projectFor } from '../projects/index.js'
import { noDraft, uuidTaken } from './drafts.errors.js'
import { findDraft, findMade } from './drafts.queries.js'
import { DraftView, MeantDraft, MeantVersion, NewForm, PublishDraft, StaleDraft } from './drafts.schemas.js'
import { draftView } from './drafts.views.js'
import { keepDraft, keepFirstDraft, throwAway } from './keep-draft.js'
import { publishDraft } from './publish-draft.js'
import { refuseSaved } from './stale.js'

const uploadLimits = { fileBytes: largestFormBytes, files: 2 }
const secret = { 'cache-control': 'no-store' }

export const draftRoutes = async (
  app: App,
  deps: Deps,
  compilers: Compilers,
  dataviews: GoneWithForms,
): Promise<void> => {
  const { db, outbound } = deps

  const managed = async (caller: Caller, pk: string) => {
    const form = await definitionFor(db, caller, pk, 'manage')
    refuseReplacement(caller, form)
    return form
  }

  const shown = async (origin: string, caller: Caller, pk: string) => {
    const form = await definitionFor(db, caller, pk, 'manage')
    const draft = await findDraft(db, form.id)
    if (draft === undefined) throw noDraft()
    return draftView(deps, { origin, caller, form }, draft)
  }

  app.post(
    '/projects/:pk/drafts',
    {
      config: { operation: 'project.draft.add', access: 'user', streamsBody: true },
      schema: {
        summary: 'Make a form whose first version is tried out',
        description:
          'As publishing a form into a project, but phones list it only by the key of its draft, and it takes no records, until the draft is published. 200 with the draft that is there where the same `uuid` has made it before, whatever was sent now; 409 where another form has the `uuid`.',
        tags: ['drafts'],
        consumes: ['multipart/form-data', 'application/json'],
        params: ProjectParams,
        querystring: NewForm,
        body: FormSource,
        response: {
          200: DraftView,
          201: DraftView,
          ...errors(401, 403, 404, 409, 413, 415),
          ...refusals(400, FormRefusal),
        },
      },
      bodyLimit: largestFormBytes,
    },
    async (request, reply) => {
      const { params, query, caller, origin } = request
      const { uuid } = query
      const project = await projectFor(db, caller, params.pk, 'manage')
      const source = await sourceOf(await readUploads(request, uploadLimits), outbound, caller.id)
      const before = async () => uuid && findMade(db, { projectId: project.id, createdBy: caller.id, uuid })
      const make = async () => {
        const compiler = compilers.forAccount(caller)
        const definition = await readDraft(compiler, source)
        const keep = keepFirstDraft(deps, caller, definition)
        return (await publishForm(deps, compiler, caller, project, definition, { keepDraft: keep, uuid })).formId
      }
      const known = await before()
      const made = known
        ? undefined
        : await make().catch((error: unknown) => {
            if (brokenConstraint(error) !== 'forms__uuid') throw error
          })
      // Sent twice at once, the other one has made it.
      const formId = known || made || (await before())
      if (!formId) throw uuidTaken()
      return reply
        .code(made ? 201 : 200)
        .headers(secret)
        .header('location', `${origin}/api/v1/forms/${formId}/draft`)
        .send(await shown(origin, caller, String(formId)))
    },
  )

  for (const method of ['POST', 'PUT'] as const) {
    const isNew = method === 'POST'
    app.route({
      method,
      url: '/forms/:pk/draft',
      config: { operation: isNew ? 'draft.create' : 'draft.replace', access: 'user', streamsBody: true },
      schema: {
        summary: isNew ? 'Try out a new version of a form' : 'Replace the draft of a form',
        description: isNew
          ? 'From any source of publishing. Phones try it by a key of its own; what they send is no record of the form. 409 where there is a draft, and where the form is no longer in the version that `based_on` names.'
          : 'Phones get it by the code that they have. What was sent stays, each record with its version, and so do the files that go with the draft. 409 where somebody else was faster, also since the `revision` that is named; nothing is changed then.',
        tags: ['drafts'],
        consumes: ['multipart/form-data', 'application/json'],
        params: FormParams,
        querystring: isNew ? MeantVersion : MeantDraft,
        body: FormSource,
        response: {
          [isNew ? 201 : 200]: DraftView,
          ...errors(401, 403, 404, 413, 415),
          ...refusals(400, FormRefusal),
          ...refusals(409, StaleDraft),
        },
      },
      bodyLimit: largestFormBytes,
      handler: async (request, reply) => {
        const { caller, origin } = request
        const { pk } = request.params as { pk: string }
        const { revision, based_on: basedOn } = request.query as { revision?: number; based_on?: string }
        const form = await managed(caller, pk)
        const former = isNew ? null : refuseSaved(await findDraft(db, form.id), revision)
        const source = await sourceOf(await readUploads(request, uploadLimits), outbound, caller.id)
        await keepDraft(deps, compilers.forAccount(caller), caller, { form, source, former, basedOn })
        return reply
          .code(isNew ? 201 : 200)
          .headers(secret)
          .send(await shown(origin, caller, pk))
      },
    })
  }

  app.get(
    '/forms/:pk/draft',
    {
      config: { operation: 'draft.get', access: 'user' },
      schema: {
        summary: 'The draft of a form',
        tags: ['drafts'],
        params: FormParams,
        response: { 200: DraftView, ...errors(400, 401, 403, 404) },
      },
    },
    async ({ params, caller, origin }, reply) => reply.headers(secret).send(await shown(origin, caller, params.pk)),
  )

  app.delete(
    '/forms/:pk/draft',
    {
      config: { operation: 'draft.delete', access: 'user' },
      schema: {
        summary: 'Throw a draft away',
        description: 'With all that was sent to it. A form that was never published goes with it.',
        tags: ['drafts'],
        params: FormParams,
        querystring: MeantDraft,
        response: { 204: NoBody, ...errors(400, 401, 403, 404), ...refusals(409, StaleDraft) },
      },
    },
    async ({ params, query, caller }, reply) => {
      const form = await managed(caller, params.pk)
      await throwAway(deps, caller, { form, revision: query.revision, dataviews })
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/forms/:pk/draft/publish',
    {
      config: { operation: 'draft.publish', access: 'user' },
      schema: {
        summary: 'Publish a draft',
        description:
          'It becomes the next version of the form, with the files that were added to it. What was sent to it goes, and its key ends. 409 where somebody else was faster, also since the `revision` or the version that is named.',
        tags: ['drafts'],
        params: FormParams,
        body: PublishDraft,
        response: {
          200: FormView,
          ...errors(401, 403, 404),
          ...refusals(400, FormRefusal),
          ...refusals(409, StaleDraft),
        },
      },
    },
    async ({ params, body, caller, origin }) => {
      const form = await managed(caller, params.pk)
      const { version, revision, based_on: basedOn } = body ?? {}
      const fault = version === undefined ? undefined : versionFault(version)
      if (fault !== undefined) throw invalid({ version: [fault] })
      await publishDraft(deps, compilers.forAccount(caller), caller, { form, version, revision, basedOn })
      return formDetail(deps, origin, caller, params.pk)
    },
  )
}
