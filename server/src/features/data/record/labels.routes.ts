// Labels of a record: /data/{pk}/{dataid}/labels.
import type { Room } from '../../../platform/deps.js'
import { Detail, errors, faultsFrom, throwFaults } from '../../../platform/http/index.js'
import { Type } from '../../../platform/schema/index.js'
import { tagsFault, tagsIn } from '../../../platform/words/index.js'
import { addTags, removeTag } from '../../submissions/index.js'
import { RecordParams } from '../selection/index.js'
import { listTags } from './labels.queries.js'
import { changeableRecord, seenRecord } from './seen-record.js'

const Labels = Type.Array(Type.String(), { examples: [['urgent', 'checked']] })

const LabelsOrDetail = Type.Union([Labels, Detail], { description: 'What is left; or there is no such record.' })

const LabelParams = Type.Object({
  ...RecordParams.properties,
  tag_name: Type.String({ maxLength: 300, description: 'URL-encoded.', examples: ['urgent'] }),
})

const LabelsBody = Type.Object(
  { tags: Type.Unknown({ description: 'A text, separated by commas or blanks; or an array of texts.' }) },
  { examples: [{ tags: 'urgent, checked' }] },
)

export const labelRoutes: Room = async (app, { db, clock }) => {
  app.get(
    '/data/:pk/:dataid/labels',
    {
      config: { operation: 'data.label.list', access: 'anyone' },
      schema: {
        summary: 'Labels of a record',
        tags: ['data'],
        params: RecordParams,
        response: { 200: Labels, ...errors(400, 401, 404) },
      },
    },
    async ({ params, caller }) => {
      const { seen, record } = await seenRecord(db, caller, params)
      return listTags(db, seen.form.id, record.id)
    },
  )

  app.get(
    '/data/:pk/:dataid/labels/:tag_name',
    {
      config: { operation: 'data.label.get', access: 'anyone' },
      schema: {
        summary: 'Whether a record has a label',
        description: 'An array with the label, or an empty one.',
        tags: ['data'],
        params: LabelParams,
        response: { 200: Labels, ...errors(400, 401, 404) },
      },
    },
    async ({ params, caller }) => {
      const { seen, record } = await seenRecord(db, caller, params)
      return (await listTags(db, seen.form.id, record.id)).filter((tag) => tag === params.tag_name)
    },
  )

  app.post(
    '/data/:pk/:dataid/labels',
    {
      config: { operation: 'data.label.add', access: 'user' },
      schema: {
        summary: 'Add labels to a record',
        description: 'For editors and up. Answers all labels of the record.',
        tags: ['data'],
        params: RecordParams,
        body: LabelsBody,
        response: { 201: Labels, ...errors(400, 401, 403, 404) },
      },
      attachValidation: true,
    },
    async ({ params, body, caller, validationError }, reply) => {
      const { seen, record } = await changeableRecord(db, caller, params, 'change')
      const tags = tagsIn(body?.tags)
      const fault = tagsFault(tags)
      throwFaults({ ...faultsFrom(validationError), ...(fault !== undefined && { tags: [fault] }) })
      await addTags(db, seen.form.id, record.id, tags, clock.now())
      return reply.code(201).send(await listTags(db, seen.form.id, record.id))
    },
  )

  app.delete(
    '/data/:pk/:dataid/labels/:tag_name',
    {
      config: { operation: 'data.label.remove', access: 'user' },
      schema: {
        summary: 'Remove a label from a record',
        description: 'For editors and up. Answers what is left; 404 with it when there was no such label.',
        tags: ['data'],
        params: LabelParams,
        response: { 200: Labels, 404: LabelsOrDetail, ...errors(400, 401, 403) },
      },
    },
    async ({ params, caller }, reply) => {
      const { seen, record } = await changeableRecord(db, caller, params, 'change')
      const isRemoved = await removeTag(db, seen.form.id, record.id, params.tag_name, clock.now())
      return reply.code(isRemoved ? 200 : 404).send(await listTags(db, seen.form.id, record.id))
    },
  )
}
