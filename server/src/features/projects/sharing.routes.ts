// /projects/{pk}/share, by PUT and by POST alike.
import type { Room } from '../../platform/deps.js'
import { errors, faultsFrom, NoBody } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { ProjectParams } from './projects.schemas.js'
import { visibleProject } from './projects.service.js'
import { shareProject } from './sharing.js'

const ShareBody = Type.Object(
  {
    username: Type.String({ maxLength: 10_000, description: 'One, or several separated by commas.' }),
    role: Type.Optional(Type.String({ maxLength: 50, examples: ['editor'] })),
    remove: Type.Optional(Type.Boolean({ description: 'Takes their roles away instead.' })),
    email_msg: Type.Optional(Type.String({ maxLength: 1024, description: 'Sends each a mail with this text.' })),
  },
  { examples: [{ username: 'ben,cyd', role: 'editor' }] },
)

export const sharingRoutes: Room = async (app, deps) => {
  for (const method of ['PUT', 'POST'] as const) {
    app.route({
      method,
      url: '/projects/:pk/share',
      config: { operation: `project.share.${method.toLowerCase()}`, access: 'user' },
      schema: {
        summary: 'Share a project with people',
        description: 'For managers and owners; everybody may remove themselves. All of the people, or none.',
        tags: ['projects'],
        params: ProjectParams,
        body: ShareBody,
        response: { 204: NoBody, ...errors(400, 401, 403, 404, 429) },
      },
      attachValidation: true,
      handler: async ({ params, body, caller, validationError }, reply) => {
        const project = await visibleProject(deps.db, caller, params.pk)
        await shareProject(deps, caller, project, body ?? {}, faultsFrom(validationError))
        return reply.code(204).send(null)
      },
    })
  }
}
