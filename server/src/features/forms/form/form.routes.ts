// Forms: /forms, and those of a project. Seen by whoever has a role on one, or by everybody when public.
import type { Room } from '../../../platform/deps.js'
import { errors, pageOf, sendLinks } from '../../../platform/http/index.js'
import { Type } from '../../../platform/schema/index.js'
import { booleanOf } from '../../../platform/words/index.js'
import { ProjectParams, visibleProject } from '../../projects/index.js'
import { formDetail } from './detail.js'
import { countForms, countPublicForms, listForms, listPublicForms } from './form.queries.js'
import { FormParams, FormsQuery, FormView } from './form.schemas.js'
import { formViews } from './form.views.js'

const mostForms = 10_000

const PublicQuery = Type.Object({ page: FormsQuery.properties.page, page_size: FormsQuery.properties.page_size })

export const formRoutes: Room = async (app, deps) => {
  const { db, clock } = deps

  app.get(
    '/forms',
    {
      config: { operation: 'form.list', access: 'anyone' },
      schema: {
        summary: 'List forms',
        description:
          'Those that the caller has a role on, by id; with `owner` also the public ones of that account. Anonymous callers see public ones.',
        tags: ['forms'],
        querystring: FormsQuery,
        response: { 200: Type.Array(FormView), ...errors(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const { query, caller, origin } = request
      const owner = query.owner || undefined
      // No form is known to collect map data of that kind.
      if (booleanOf(query.instances_with_osm ?? '') === true) return []
      const tags = query.tags ? query.tags.split(',').map((tag) => tag.trim()) : undefined
      const filter = { callerId: caller.id, owner, tags, may: 'view', withPublic: owner !== undefined } as const
      const page = pageOf(query, await countForms(db, filter))
      sendLinks(request, reply, page)
      return formViews(
        db,
        { origin, now: clock.now() },
        await listForms(db, filter, { offset: page.offset, limit: page.size }),
      )
    },
  )

  app.get(
    '/forms/public',
    {
      config: { operation: 'form.public', access: 'anyone' },
      schema: {
        summary: 'Forms whose definition everybody may see',
        tags: ['forms'],
        querystring: PublicQuery,
        response: { 200: Type.Array(FormView), ...errors(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const page = pageOf(request.query, await countPublicForms(db, 'definition'))
      sendLinks(request, reply, page)
      const range = { offset: page.offset, limit: page.size }
      return formViews(
        db,
        { origin: request.origin, now: clock.now() },
        await listPublicForms(db, request.caller.id, 'definition', range),
      )
    },
  )

  app.get(
    '/forms/:pk',
    {
      config: { operation: 'form.get', access: 'anyone' },
      schema: {
        summary: 'One form',
        tags: ['forms'],
        params: FormParams,
        response: { 200: FormView, ...errors(400, 401, 404) },
      },
    },
    async ({ params, caller, origin }) => formDetail(deps, origin, caller, params.pk),
  )

  app.get(
    '/projects/:pk/forms',
    {
      config: { operation: 'project.form.list', access: 'anyone' },
      schema: {
        summary: 'Forms of a project',
        description: 'Those that the caller may see, with their tags and users.',
        tags: ['forms'],
        params: ProjectParams,
        response: { 200: Type.Array(FormView), ...errors(400, 401, 404) },
      },
    },
    async ({ params, caller, origin }) => {
      const { id } = await visibleProject(db, caller, params.pk)
      const filter = { callerId: caller.id, projectId: id, may: 'view', withPublic: true } as const
      return formViews(db, { origin, now: clock.now() }, await listForms(db, filter, { offset: 0, limit: mostForms }))
    },
  )
}
