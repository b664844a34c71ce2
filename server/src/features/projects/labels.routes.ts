// Labels of a project: /projects/{pk}/labels.
import type { Room } from '../../platform/deps.js'
import { errors, faultsFrom, throwFaults } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { tagsFault, tagsIn } from '../../platform/words/index.js'
import { deleteTag, insertTags, listTags } from './labels.queries.js'
import { ProjectParams } from './projects.schemas.js'
import { projectFor, visibleProject } from './projects.service.js'

const Tags = Type.Array(Type.String(), { examples: [['health', 'census']] })

const TagParams = Type.Object({
  ...ProjectParams.properties,
  tag_name: Type.String({ maxLength: 300, description: 'URL-encoded.', examples: ['health'] }),
})

const TagsBody = Type.Object(
  {
    tags: Type.Unknown({ description: 'A text, separated by commas or blanks; or an array of texts.' }),
  },
  { examples: [{ tags: 'health, census' }] },
)

export const labelRoutes: Room = async (app, { db, clock }) => {
  app.get(
    '/projects/:pk/labels',
    {
      config: { operation: 'project.label.list', access: 'anyone' },
      schema: {
        summary: 'Labels of a project',
        tags: ['projects'],
        params: ProjectParams,
        response: { 200: Tags, ...errors(400, 401, 404) },
      },
    },
    async ({ params, caller }) => listTags(db, (await visibleProject(db, caller, params.pk)).id),
  )

  app.get(
    '/projects/:pk/labels/:tag_name',
    {
      config: { operation: 'project.label.get', access: 'anyone' },
      schema: {
        summary: 'Whether a project has a label',
        description: 'An array with the label, or an empty one.',
        tags: ['projects'],
        params: TagParams,
        response: { 200: Tags, ...errors(400, 401, 404) },
      },
    },
    async ({ params, caller }) => {
      const tags = await listTags(db, (await visibleProject(db, caller, params.pk)).id)
      return tags.filter((tag) => tag.toLowerCase() === params.tag_name.toLowerCase())
    },
  )

  app.post(
    '/projects/:pk/labels',
    {
      config: { operation: 'project.label.add', access: 'user' },
      schema: {
        summary: 'Add labels',
        description: 'For managers and owners. Answers all labels of the project.',
        tags: ['projects'],
        params: ProjectParams,
        body: TagsBody,
        response: { 201: Tags, ...errors(400, 401, 403, 404) },
      },
      attachValidation: true,
    },
    async ({ params, body, caller, validationError }, reply) => {
      const { id } = await projectFor(db, caller, params.pk, 'manage')
      const tags = tagsIn(body?.tags)
      const fault = tagsFault(tags)
      throwFaults({ ...faultsFrom(validationError), ...(fault !== undefined && { tags: [fault] }) })
      await insertTags(db, id, tags, clock.now())
      return reply.code(201).send(await listTags(db, id))
    },
  )

  app.delete(
    '/projects/:pk/labels/:tag_name',
    {
      config: { operation: 'project.label.remove', access: 'user' },
      schema: {
        summary: 'Remove a label',
        description: 'For managers and owners. Answers what is left, also when the label was not there.',
        tags: ['projects'],
        params: TagParams,
        response: { 200: Tags, ...errors(400, 401, 403, 404) },
      },
    },
    async ({ params, caller }) => {
      const { id } = await projectFor(db, caller, params.pk, 'manage')
      await deleteTag(db, id, params.tag_name)
      return listTags(db, id)
    },
  )
}
