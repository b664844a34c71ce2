// POST /forms/{pk}/plan: what a replacement of the definition would mean. For those who may replace it.
import type { Deps } from '../../platform/deps.js'
import { type App, errors, readerOf, readUploads, refusals } from '../../platform/http/index.js'
import type { Compilers } from '../forms/index.js'
import {
  definitionFor,
  FormParams,
  FormRefusal,
  FormUpload,
  largestFormBytes,
  readReplacement,
  refuseReplacement,
  visibleDefinition,
} from '../forms/index.js'
import { draftAsReplacement } from './draft-plan.js'
import { planReplacement } from './plan.js'
import { PlanView } from './plans.schemas.js'

export const planRoutes = async (app: App, deps: Deps, compilers: Compilers): Promise<void> => {
  app.get(
    '/forms/:pk/draft/plan',
    {
      config: { operation: 'draft.plan', access: 'user' },
      schema: {
        summary: 'What publishing a draft would mean',
        description: 'As the plan of a replacement, for the draft of the form. Nothing is changed.',
        tags: ['drafts'],
        params: FormParams,
        response: { 200: PlanView, ...errors(400, 401, 403, 404) },
      },
    },
    async (request) => {
      const { params, caller } = request
      const form = await definitionFor(deps.db, caller, params.pk, 'manage')
      const reading: Deps = { ...deps, db: deps.db.reading(readerOf(request), form.asOf) }
      return planReplacement(reading, form, await draftAsReplacement(deps, form))
    },
  )

  app.post(
    '/forms/:pk/plan',
    {
      config: { operation: 'form.plan', access: 'user', streamsBody: true },
      schema: {
        summary: 'What replacing a form would mean',
        description:
          'With the new file, as for replacing: which questions come, go and change, and how many stored answers would no longer fit. Nothing is changed.',
        tags: ['forms'],
        consumes: ['multipart/form-data', 'application/json'],
        params: FormParams,
        body: FormUpload,
        response: { 200: PlanView, ...errors(401, 403, 404, 413, 415), ...refusals(400, FormRefusal) },
      },
      bodyLimit: largestFormBytes,
    },
    async (request) => {
      const { params, caller } = request
      const form = await visibleDefinition(deps.db, caller, params.pk)
      refuseReplacement(caller, form)
      const upload = await readUploads(request, { fileBytes: largestFormBytes, files: 2 })
      const reading: Deps = { ...deps, db: deps.db.reading(readerOf(request), form.asOf) }
      return planReplacement(
        reading,
        form,
        await readReplacement(deps, compilers.forAccount(caller), form, upload, caller.id),
      )
    },
  )
}
