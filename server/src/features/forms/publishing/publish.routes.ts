// Publishing: POST /forms, POST /projects/{pk}/forms.

import type { Deps } from '../../../platform/deps.js'
import {
  type App,
  type Caller,
  errors,
  notFound,
  readUploads,
  refusals,
  type UploadedForm,
} from '../../../platform/http/index.js'
import { ProjectParams, projectFor } from '../../projects/index.js'
import { assignForm, type Target, targetOf } from '../changing/index.js'
import { type Compilers, FormRefusal, hasSource, largestFormBytes, readDraft, sourceOf } from '../compiling/index.js'
import { FormView, formDetail } from '../form/index.js'
import { actionWarnings } from './own-action.js'
import { publishForm } from './publish.js'
import { idWasTaken } from './publishing.errors.js'
import { FormUpload } from './publishing.schemas.js'

const uploadLimits = { fileBytes: largestFormBytes, files: 2 }

export const publishRoutes = async (app: App, deps: Deps, compilers: Compilers): Promise<void> => {
  const { db } = deps

  const publish = async (origin: string, caller: Caller, target: Target, upload: UploadedForm) => {
    const draft = await readDraft(compilers.forAccount(caller), await sourceOf(upload, deps.outbound, caller.id))
    const { formId, idString, isIdChanged } = await publishForm(
      deps,
      compilers.forAccount(caller),
      caller,
      await target(),
      draft,
    )
    const view = await formDetail(deps, origin, caller, String(formId))
    const taken = isIdChanged ? [idWasTaken(draft.idString, idString)] : []
    const warnings = [...draft.warnings, ...taken, ...(await actionWarnings(db, formId, origin))]
    return { ...view, has_id_string_changed: isIdChanged, warnings }
  }

  app.post(
    '/forms',
    {
      config: { operation: 'form.publish', access: 'user', streamsBody: true },
      schema: {
        summary: 'Publish a form',
        description:
          'From an XLSForm or an XForm, into the project that is named or the account’s first. Mistakes of the author come back with sheet, row and what to do; nothing is stored then.',
        tags: ['forms'],
        consumes: ['multipart/form-data', 'application/json'],
        body: FormUpload,
        response: { 201: FormView, ...errors(401, 403, 404, 413, 415), ...refusals(400, FormRefusal) },
      },
      bodyLimit: largestFormBytes,
    },
    async (request, reply) => {
      const { caller, origin } = request
      const upload = await readUploads(request, uploadLimits)
      const view = await publish(origin, caller, await targetOf(deps, caller, upload.fields), upload)
      return reply.code(201).header('location', view.url).send(view)
    },
  )

  app.post(
    '/projects/:pk/forms',
    {
      config: { operation: 'project.form.add', access: 'user', streamsBody: true },
      schema: {
        summary: 'Publish a form into a project, or move one there',
        description:
          'With `formid` an existing form is moved: within its account for its managers who manage the project too, into another account for its owners.',
        tags: ['forms'],
        consumes: ['multipart/form-data', 'application/json'],
        params: ProjectParams,
        body: FormUpload,
        response: { 201: FormView, ...errors(401, 403, 404, 413, 415), ...refusals(400, FormRefusal) },
      },
      bodyLimit: largestFormBytes,
    },
    async (request, reply) => {
      const { params, caller, origin } = request
      const project = await projectFor(db, caller, params.pk, 'manage')
      const upload = await readUploads(request, uploadLimits)
      const { formid } = upload.fields
      if (formid !== undefined && formid !== '' && !hasSource(upload)) {
        if (!/^\d{1,10}$/.test(String(formid))) throw notFound()
        await assignForm(deps, caller, String(formid), project)
        return reply.code(201).send(await formDetail(deps, origin, caller, String(formid)))
      }
      const view = await publish(origin, caller, async () => project, upload)
      return reply.code(201).header('location', view.url).send(view)
    },
  )
}
