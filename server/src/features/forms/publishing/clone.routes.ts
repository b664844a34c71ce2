// POST /forms/{pk}/clone: a copy of a form for an account.
import type { Deps } from '../../../platform/deps.js'
import { type App, errors } from '../../../platform/http/index.js'
import { Type } from '../../../platform/schema/index.js'
import type { Compilers } from '../compiling/index.js'
import { FormParams, FormView, formDetail, visibleDefinition } from '../form/index.js'
import { cloneForm } from './clone.js'

const CloneBody = Type.Object(
  {
    username: Type.String({ minLength: 1, maxLength: 254, description: 'The account that gets the copy.' }),
    project_id: Type.Optional(Type.Integer()),
  },
  { examples: [{ username: 'ben' }] },
)

export const cloneRoutes = async (app: App, deps: Deps, compilers: Compilers): Promise<void> => {
  const { db } = deps

  app.post(
    '/forms/:pk/clone',
    {
      config: { operation: 'form.clone', access: 'user' },
      schema: {
        summary: 'Copy a form to an account',
        description:
          'For managers and owners of the form, and for everybody when it is public. Records, shares and media stay behind.',
        tags: ['forms'],
        params: FormParams,
        body: CloneBody,
        response: { 201: FormView, ...errors(400, 401, 403, 404, 409) },
      },
    },
    async ({ params, body, caller, origin }, reply) => {
      const form = await visibleDefinition(db, caller, params.pk)
      const { formId, isIdChanged } = await cloneForm(deps, compilers.forAccount(caller), caller, form, body)
      const view = await formDetail(deps, origin, caller, String(formId))
      return reply
        .code(201)
        .header('location', view.url)
        .send({ ...view, has_id_string_changed: isIdChanged })
    },
  )
}
