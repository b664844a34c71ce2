// Stars: /projects/{pk}/star, and /user/{username}/starred. Whoever can see a project may star it.
import type { Deps } from '../../platform/deps.js'
import { type App, errors, largestPageSize, NoBody, notFound } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { ProfileParams, ProfileView, publicView } from '../profiles/index.js'
import { findActiveUser } from '../users/index.js'
import { listProjects } from './projects.queries.js'
import { ProjectParams, ProjectView } from './projects.schemas.js'
import { visibleProject } from './projects.service.js'
import type { DataviewsOf } from './projects.views.js'
import { sendProjects } from './send-projects.js'
import { deleteStar, insertStar, listStargazers } from './stars.queries.js'

export const starRoutes = async (app: App, { db, clock, secrets }: Deps, dataviewsOf: DataviewsOf): Promise<void> => {
  app.post(
    '/projects/:pk/star',
    {
      config: { operation: 'project.star.add', access: 'user' },
      schema: {
        summary: 'Star a project',
        tags: ['projects'],
        params: ProjectParams,
        response: { 204: NoBody, ...errors(400, 401, 404) },
      },
    },
    async ({ params, caller }, reply) => {
      const { id } = await visibleProject(db, caller, params.pk)
      await insertStar(db, id, caller.id, clock.now())
      return reply.code(204).send(null)
    },
  )

  app.delete(
    '/projects/:pk/star',
    {
      config: { operation: 'project.star.remove', access: 'user' },
      schema: {
        summary: 'Remove the star',
        tags: ['projects'],
        params: ProjectParams,
        response: { 204: NoBody, ...errors(400, 401, 404) },
      },
    },
    async ({ params, caller }, reply) => {
      const { id } = await visibleProject(db, caller, params.pk)
      await deleteStar(db, id, caller.id)
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/projects/:pk/star',
    {
      config: { operation: 'project.star.list', access: 'anyone' },
      schema: {
        summary: 'Who starred a project',
        tags: ['projects'],
        params: ProjectParams,
        response: { 200: Type.Array(ProfileView), ...errors(400, 401, 404) },
      },
    },
    async ({ params, caller, origin }) => {
      const { id } = await visibleProject(db, caller, params.pk)
      return (await listStargazers(db, id)).map((profile) => publicView({ origin, secrets }, profile))
    },
  )

  app.get(
    '/user/:username/starred',
    {
      config: { operation: 'project.starred', access: 'user' },
      schema: {
        summary: 'Projects that a user has starred',
        description: 'Those that the caller may see, newest first.',
        tags: ['projects'],
        params: ProfileParams,
        response: { 200: Type.Array(ProjectView), ...errors(401, 404) },
      },
    },
    async ({ params, caller, origin }, reply) => {
      const user = await findActiveUser(db, params.username)
      if (user === undefined) throw notFound()
      const filter = { callerId: caller.id, isAnonymous: false, starredBy: user.id }
      const projects = await listProjects(db, filter, { offset: 0, limit: largestPageSize })
      const viewer = { origin, dataviewsOf, caller, shape: 'detail', isOwnerNamed: false, now: clock.now() } as const
      return sendProjects(reply, db, viewer, projects)
    },
  )
}
