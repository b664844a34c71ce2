// Projects: /projects. Seen by whoever has a role on one, or by everybody when public.
import type { Deps } from '../../platform/deps.js'
import {
  type App,
  type Caller,
  errors,
  faultsFrom,
  invalid,
  NoBody,
  pageOf,
  sendLinks,
} from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { listProjectGrants, projectAccess, projectActions } from '../permissions/index.js'
import { findActiveUser } from '../users/index.js'
import type { ProjectForms } from './project-forms.js'
import { countProjects, listProjects } from './projects.queries.js'
import {
  AccessQuery,
  AccessView,
  CreateProject,
  PatchProject,
  ProjectParams,
  ProjectsQuery,
  ProjectView,
  PutProject,
} from './projects.schemas.js'
import { changeProject, createProject, projectFor, removeProject, visibleProject } from './projects.service.js'
import { type DataviewsOf, projectViews } from './projects.views.js'
import { sendProjects } from './send-projects.js'

export const projectRoutes = async (
  app: App,
  deps: Deps,
  dataviewsOf: DataviewsOf,
  forms: ProjectForms,
): Promise<void> => {
  const { db } = deps

  const detailOf = async (origin: string, caller: Caller, pk: string) => {
    const project = await visibleProject(db, caller, pk)
    const viewer = { origin, dataviewsOf, caller, shape: 'detail', isOwnerNamed: false, now: deps.clock.now() } as const
    const [view] = await projectViews(db, viewer, [project])
    return view as NonNullable<typeof view>
  }

  app.post(
    '/projects',
    {
      config: { operation: 'project.create', access: 'user' },
      schema: {
        summary: 'Make a project',
        description: 'Under the caller’s own account, or under an organization that they own or manage.',
        tags: ['projects'],
        body: CreateProject,
        response: { 201: ProjectView, ...errors(400, 401, 413, 415) },
      },
      attachValidation: true,
    },
    async ({ body, caller, origin, validationError }, reply) => {
      const id = await createProject(deps, caller, body, faultsFrom(validationError))
      const view = await detailOf(origin, caller, String(id))
      return reply.code(201).header('location', view.url).send(view)
    },
  )

  app.get(
    '/projects',
    {
      config: { operation: 'project.list', access: 'anyone' },
      schema: {
        summary: 'List projects',
        description:
          'Those that the caller has a role on, newest first; with `owner` also the public ones of that account. Anonymous callers see public ones.',
        tags: ['projects'],
        querystring: ProjectsQuery,
        response: { 200: Type.Array(ProjectView), ...errors(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const { query, caller, origin } = request
      // A blank parameter is one that was left out.
      const owner = query.owner || undefined
      const tags = query.tags ? query.tags.split(',').map((tag) => tag.trim()) : undefined
      const filter = { callerId: caller.id, isAnonymous: caller.isAnonymous, owner, tags }
      const page = pageOf(query, await countProjects(db, filter))
      sendLinks(request, reply, page)
      const projects = await listProjects(db, filter, { offset: page.offset, limit: page.size })
      const viewer = {
        origin,
        dataviewsOf,
        caller,
        shape: 'list',
        isOwnerNamed: owner !== undefined,
        now: deps.clock.now(),
      } as const
      return sendProjects(reply, db, viewer, projects)
    },
  )

  app.get(
    '/projects/:pk',
    {
      config: { operation: 'project.get', access: 'anyone' },
      schema: {
        summary: 'One project',
        tags: ['projects'],
        params: ProjectParams,
        response: { 200: ProjectView, ...errors(400, 401, 404) },
      },
    },
    async ({ params, caller, origin }) => detailOf(origin, caller, params.pk),
  )

  for (const { method, body, words } of [
    { method: 'PUT', body: PutProject, words: 'Metadata is replaced.' },
    { method: 'PATCH', body: PatchProject, words: 'Metadata is merged.' },
  ] as const) {
    app.route({
      method,
      url: '/projects/:pk',
      config: { operation: `project.${method.toLowerCase()}`, access: 'user' },
      schema: {
        summary: 'Change a project',
        description: `For managers and owners; giving it to another account is for owners. ${words}`,
        tags: ['projects'],
        params: ProjectParams,
        body,
        response: { 200: ProjectView, ...errors(400, 401, 403, 404) },
      },
      attachValidation: true,
      handler: async ({ params, body: changes, caller, origin, validationError }) => {
        const project = await projectFor(db, caller, params.pk, 'manage')
        const faults = faultsFrom(validationError)
        await changeProject(deps, forms, caller, { project, body: changes, faults, isMerge: method === 'PATCH' })
        return detailOf(origin, caller, params.pk)
      },
    })
  }

  app.delete(
    '/projects/:pk',
    {
      config: { operation: 'project.delete', access: 'user' },
      schema: {
        summary: 'Delete a project',
        description: 'For owners. Its forms are deleted with it; its name and their ids are free again.',
        tags: ['projects'],
        params: ProjectParams,
        response: { 204: NoBody, ...errors(400, 401, 403, 404) },
      },
    },
    async ({ params, caller }, reply) => {
      const { id } = await projectFor(db, caller, params.pk, 'delete')
      await removeProject(deps, forms, caller, id)
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/projects/:pk/access',
    {
      config: { operation: 'project.access', access: 'user' },
      schema: {
        summary: 'Why somebody can see a project',
        description: 'For managers and owners: the role that applies, each reason for it, and what it allows.',
        tags: ['projects'],
        params: ProjectParams,
        querystring: AccessQuery,
        response: { 200: AccessView, ...errors(400, 401, 403, 404) },
      },
    },
    async ({ params, query, caller }) => {
      const project = await projectFor(db, caller, params.pk, 'manage')
      const user = await findActiveUser(db, query.user)
      if (user === undefined) throw invalid({ user: [`User '${query.user}' does not exist.`] })
      const access = projectAccess(await listProjectGrants(db, project.id, user.id))
      return {
        user: user.username,
        role: access.role,
        sources: access.grants.map(({ source, role, through }) => ({ source, role, through })),
        allows: projectActions.filter((action) => access.may(action)),
        public: project.isPublic,
      }
    },
  )
}
