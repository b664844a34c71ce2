// PATCH and PUT /forms/{pk}: one address for a change of what a form says and for a new definition of it.
import type { Deps } from '../../../platform/deps.js'
import { type App, errors, readBody, readUploads, refusals } from '../../../platform/http/index.js'
import type { Static } from '../../../platform/schema/index.js'
import { changeForm, PatchForm, PutForm, refuseChange } from '../changing/index.js'
import { type Compilers, FormRefusal, hasSource, largestFormBytes, sourceOf } from '../compiling/index.js'
import { FormParams, FormView, formDetail, visibleDefinition } from '../form/index.js'
import { actionWarnings } from './own-action.js'
import { FormChange } from './publishing.schemas.js'
import { refuseReplacement, replaceForm } from './replace.js'

export const replaceRoutes = async (app: App, deps: Deps, compilers: Compilers): Promise<void> => {
  const { db } = deps

  for (const { method, body } of [
    { method: 'PATCH', body: PatchForm },
    { method: 'PUT', body: PutForm },
  ] as const) {
    const read = readBody(body)
    app.route({
      method,
      url: '/forms/:pk',
      config: { operation: `form.${method.toLowerCase()}`, access: 'user', streamsBody: true },
      schema: {
        summary: 'Change a form, or replace its definition',
        description:
          'Title and description are for editors; who sees it, in which project of its account it is and whether it is active for managers and owners; giving it to another account is for owners. A file (as for publishing) replaces the definition: for managers and owners, with the same id_string. What is read-only is ignored.',
        tags: ['forms'],
        consumes: ['application/json', 'multipart/form-data'],
        params: FormParams,
        body: FormChange,
        response: { 200: FormView, ...errors(401, 403, 404, 409, 413, 415), ...refusals(400, FormRefusal) },
      },
      bodyLimit: largestFormBytes,
      handler: async (request) => {
        const { params, caller, origin } = request as unknown as typeof request & { params: Static<typeof FormParams> }
        const form = await visibleDefinition(db, caller, params.pk)
        const upload = await readUploads(request, { fileBytes: largestFormBytes, files: 2 })
        if (!hasSource(upload)) {
          refuseChange(form, upload.fields)
          await changeForm(deps, compilers.forAccount(caller), caller, form, read(upload.fields))
          return formDetail(deps, origin, caller, params.pk)
        }
        refuseReplacement(caller, form)
        const source = await sourceOf(upload, deps.outbound, caller.id)
        const { warnings } = await replaceForm(deps, compilers.forAccount(caller), caller, form, source)
        const more = await actionWarnings(db, form.id, origin)
        return { ...(await formDetail(deps, origin, caller, params.pk)), warnings: [...warnings, ...more] }
      },
    })
  }
}
