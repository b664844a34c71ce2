// Labels of a form: /forms/{pk}/labels.
import type { Room } from '../../../platform/deps.js'
import { errors, faultsFrom, notFound, throwFaults } from '../../../platform/http/index.js'
import { Type } from '../../../platform/schema/index.js'
import { tagsFault, tagsIn } from '../../../platform/words/index.js'
import { FormParams } from './form.schemas.js'
import { definitionFor, visibleDefinition } from './form.service.js'
import { deleteFormLabel, insertFormLabels, listFormLabels } from './labels.queries.js'

const Labels = Type.Array(Type.String(), { examples: [['health', 'census']] })

const LabelParams = Type.Object({
  ...FormParams.properties,
  label: Type.String({ maxLength: 300, description: 'URL-encoded.', examples: ['health'] }),
})

const LabelsBody = Type.Object(
  { tags: Type.Unknown({ description: 'A text, separated by commas or blanks; or an array of texts.' }) },
  { examples: [{ tags: 'health, census' }] },
)

export const formLabelRoutes: Room = async (app, { db, clock }) => {
  app.get(
    '/forms/:pk/labels',
    {
      config: { operation: 'form.label.list', access: 'anyone' },
      schema: {
        summary: 'Labels of a form',
        tags: ['forms'],
        params: FormParams,
        response: { 200: Labels, ...errors(400, 401, 404) },
      },
    },
    async ({ params, caller }) => listFormLabels(db, (await visibleDefinition(db, caller, params.pk)).id),
  )

  app.post(
    '/forms/:pk/labels',
    {
      config: { operation: 'form.label.add', access: 'user' },
      schema: {
        summary: 'Add labels to a form',
        description: 'For editors and up. Answers all labels of the form.',
        tags: ['forms'],
        params: FormParams,
        body: LabelsBody,
        response: { 201: Labels, ...errors(400, 401, 403, 404) },
      },
      attachValidation: true,
    },
    async ({ params, body, caller, validationError }, reply) => {
      const { id } = await definitionFor(db, caller, params.pk, 'change')
      const tags = tagsIn(body?.tags)
      const fault = tagsFault(tags)
      throwFaults({ ...faultsFrom(validationError), ...(fault !== undefined && { tags: [fault] }) })
      await insertFormLabels(db, id, tags, clock.now())
      return reply.code(201).send(await listFormLabels(db, id))
    },
  )

  app.delete(
    '/forms/:pk/labels/:label',
    {
      config: { operation: 'form.label.remove', access: 'user' },
      schema: {
        summary: 'Remove a label from a form',
        description: 'For editors and up. Answers what is left.',
        tags: ['forms'],
        params: LabelParams,
        response: { 200: Labels, ...errors(400, 401, 403, 404) },
      },
    },
    async ({ params, caller }) => {
      const { id } = await definitionFor(db, caller, params.pk, 'change')
      if ((await deleteFormLabel(db, id, params.label)) === 0) throw notFound()
      return listFormLabels(db, id)
    },
  )
}
