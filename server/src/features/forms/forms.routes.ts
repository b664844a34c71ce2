// Forms: /forms. Seen by whoever has a role on one, or by everybody when public.

import type { Deps } from '../../platform/deps.js'
import {
  type App,
  errors,
  forbidden,
  NoBody,
  pageOf,
  readBody,
  readUploads,
  refusals,
  sendLinks,
} from '../../platform/http/index.js'
import { type Static, Type } from '../../platform/schema/index.js'
import { booleanOf } from '../../platform/words/index.js'
import { touchProject } from '../projects/index.js'
import { changeForm, refuseChange } from './change.js'
import type { Compilers } from './compilers.js'
import { deleteForms, type GoneWithForms } from './deletion.queries.js'
import { largestFormBytes } from './file-kinds.js'
import { formDetail } from './form-detail.js'
import { countForms, countPublicForms, listForms, listPublicForms } from './forms.queries.js'
import { FormChange, FormParams, FormRefusal, FormsQuery, FormView, PatchForm, PutForm } from './forms.schemas.js'
import { definitionFor, visibleDefinition } from './forms.service.js'
import { formViews } from './forms.views.js'
import { underProjectAndFormLock } from './move.js'
import { refuseReplacement, replaceForm } from './replace.js'
import { hasSource, sourceOf } from './source.js'

const PublicQuery = Type.Object({ page: FormsQuery.properties.page, page_size: FormsQuery.properties.page_size })

export const formRoutes = async (
  app: App,
  deps: Deps,
  compilers: Compilers,
  dataviews: GoneWithForms,
): Promise<void> => {
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
      return formViews(db, origin, await listForms(db, filter, { offset: page.offset, limit: page.size }))
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
      return formViews(db, request.origin, await listPublicForms(db, request.caller.id, 'definition', range))
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

  for (const { method, body } of [
    { method: 'PATCH', body: PatchForm },
    { method: 'PUT', body: PutForm },
  ] as const) {
    const read = readBody(body)
    app.route({
      method,
      url: '/forms/:pk',
      config: { operation: `form.${method.toLowerCase()}`, access: 'user', streamsBody: true },
      schema: {
        summary: 'Change a form, or replace its definition',
        description:
          'Title and description are for editors; who sees it, in which project of its account it is and whether it is active for managers and owners; giving it to another account is for owners. A file (as for publishing) replaces the definition: for managers and owners, with the same id_string. What is read-only is ignored.',
        tags: ['forms'],
        consumes: ['application/json', 'multipart/form-data'],
        params: FormParams,
        body: FormChange,
        response: { 200: FormView, ...errors(401, 403, 404, 413, 415), ...refusals(400, FormRefusal) },
      },
      bodyLimit: largestFormBytes,
      handler: async (request) => {
        const { params, caller, origin } = request as unknown as typeof request & { params: Static<typeof FormParams> }
        const form = await visibleDefinition(db, caller, params.pk)
        const upload = await readUploads(request, { fileBytes: largestFormBytes, files: 2 })
        if (!hasSource(upload)) {
          refuseChange(form, upload.fields)
          await changeForm(deps, compilers.of(caller), caller, form, read(upload.fields))
          return formDetail(deps, origin, caller, params.pk)
        }
        refuseReplacement(caller, form)
        const source = await sourceOf(upload, deps.outbound, caller.id)
        const { warnings } = await replaceForm(deps, compilers.of(caller), caller, form, source)
        return { ...(await formDetail(deps, origin, caller, params.pk)), warnings: [...warnings] }
      },
    })
  }

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
