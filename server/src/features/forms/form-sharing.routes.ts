// A form for others: /forms/{pk}/share, /forms/{pk}/clone.

import type { Deps } from '../../platform/deps.js'
import { type App, errors, Faults, NoBody, refusals } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { cloneForm } from './clone.js'
import type { Compilers } from './compilers.js'
import { formDetail } from './form-detail.js'
import { FormParams, FormView } from './forms.schemas.js'
import { definitionFor, visibleDefinition } from './forms.service.js'
import { shareForm } from './share.js'

const ShareBody = Type.Object(
  {
    username: Type.Optional(
      Type.String({ maxLength: 5000, description: 'One username, or several separated by commas.' }),
    ),
    usernames: Type.Optional(Type.String({ maxLength: 5000, description: 'The same.' })),
    role: Type.Optional(Type.Unknown({ description: 'Any role but member.' })),
  },
  { examples: [{ username: 'ben', role: 'readonly' }] },
)

const CloneBody = Type.Object(
  {
    username: Type.String({ minLength: 1, maxLength: 254, description: 'The account that gets the copy.' }),
    project_id: Type.Optional(Type.Integer()),
  },
  { examples: [{ username: 'ben' }] },
)

export const formSharingRoutes = async (app: App, deps: Deps, compilers: Compilers): Promise<void> => {
  const { db } = deps

  app.post(
    '/forms/:pk/share',
    {
      config: { operation: 'form.share', access: 'user' },
      schema: {
        summary: 'Share a form',
        description:
          'For managers and owners. All of the people named or none; their role on the project stays as it is.',
        tags: ['forms'],
        params: FormParams,
        body: ShareBody,
        response: { 204: NoBody, ...errors(401, 403, 404), ...refusals(400, Type.Array(Faults)) },
      },
    },
    async ({ params, body, caller }, reply) => {
      const form = await definitionFor(db, caller, params.pk, 'manage')
      await shareForm(deps, caller, form, body)
      return reply.code(204).send(null)
    },
  )

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
        response: { 201: FormView, ...errors(400, 401, 403, 404) },
      },
    },
    async ({ params, body, caller, origin }, reply) => {
      const form = await visibleDefinition(db, caller, params.pk)
      const { formId, isIdChanged } = await cloneForm(deps, compilers.of(caller), caller, form, body)
      const view = await formDetail(deps, origin, caller, String(formId))
      return reply
        .code(201)
        .header('location', view.url)
        .send({ ...view, has_id_string_changed: isIdChanged })
    },
  )
}
