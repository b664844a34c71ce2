// Sharing a form, and deleting it: /forms/{pk}/share, DELETE /forms/{pk}.
import type { Deps } from '../../../platform/deps.js'
import { type App, errors, Faults, forbidden, NoBody, refusals } from '../../../platform/http/index.js'
import { Type } from '../../../platform/schema/index.js'
import { touchProject } from '../../projects/index.js'
import { definitionFor, FormParams } from '../form/index.js'
import { deleteForms, type GoneWithForms } from './deletion.queries.js'
import { underProjectAndFormLock } from './move.js'
import { shareForm } from './share.js'

const ShareBody = Type.Object(
  {
    username: Type.Optional(
      Type.String({ maxLength: 5000, description: 'One username, or several separated by commas.' }),
    ),
    usernames: Type.Optional(Type.String({ maxLength: 5000, description: 'The same.' })),
    role: Type.Optional(Type.Unknown({ description: 'Any role but member.' })),
    remove: Type.Optional(
      Type.Boolean({
        description: 'true: their role on this form is taken away; what they have by its project stays.',
      }),
    ),
  },
  { examples: [{ username: 'ben', role: 'readonly' }] },
)

export const changingRoutes = async (app: App, deps: Deps, dataviews: GoneWithForms): Promise<void> => {
  const { db, clock } = deps

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

  app.delete(
    '/forms/:pk',
    {
      config: { operation: 'form.delete', access: 'user' },
      schema: {
        summary: 'Delete a form',
        description: 'For managers and owners. Its id is free again.',
        tags: ['forms'],
        params: FormParams,
        response: { 204: NoBody, ...errors(400, 401, 403, 404) },
      },
    },
    async ({ params, caller }, reply) => {
      const { id } = await definitionFor(db, caller, params.pk, 'delete')
      await underProjectAndFormLock(db, caller, id, async (tx, form) => {
        if (!form.access.may('delete')) throw forbidden()
        const now = clock.now()
        await deleteForms(tx, { which: { formId: form.id }, deletedBy: caller.id, now, dataviews })
        await touchProject(tx, form.projectId, now)
      })
      return reply.code(204).send(null)
    },
  )
}
