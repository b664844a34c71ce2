// Rest services: /restservices. Seen by whoever has a role on the form, changed by its managers and owners.
import type { Room } from '../../platform/deps.js'
import { type Caller, errors, faultsFrom, NoBody } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { visibleForm } from '../forms/index.js'
import { badFormParameter } from './rest-services.errors.js'
import { deleteService, listServices } from './rest-services.queries.js'
import { PatchService, RestServiceView, ServiceBody, ServiceParams, ServicesQuery } from './rest-services.schemas.js'
import { changeService, createService, managedService, visibleService } from './rest-services.service.js'
import { serviceViews } from './rest-services.views.js'

export const restServiceRoutes: Room = async (app, deps) => {
  const { db } = deps

  const detailOf = async (caller: Caller, pk: string, options?: { isNew: boolean }) => {
    const [view] = await serviceViews(deps, caller, [await visibleService(db, caller, pk)], options)
    return view as NonNullable<typeof view>
  }

  app.get(
    '/restservices',
    {
      config: { operation: 'rest_service.list', access: 'user' },
      schema: {
        summary: 'List rest services',
        description: 'Of every form on which the caller has a role; `xform` narrows to one form.',
        tags: ['rest services'],
        querystring: ServicesQuery,
        response: { 200: Type.Array(RestServiceView), ...errors(400, 401, 404) },
      },
    },
    async ({ query, caller }) => {
      if (query.xform && !/^\d+$/.test(query.xform)) throw badFormParameter()
      const form = query.xform ? await visibleForm(db, caller, query.xform) : undefined
      const services = await listServices(db, caller.id, form?.id)
      return serviceViews(
        deps,
        caller,
        services.map((service) => ({ service, mayManage: service.mayManage })),
      )
    },
  )

  app.post(
    '/restservices',
    {
      config: { operation: 'rest_service.create', access: 'user' },
      schema: {
        summary: 'Forward the submissions of a form',
        description: 'For managers and owners of the form. Every call is signed as Standard Webhooks describe.',
        tags: ['rest services'],
        body: ServiceBody,
        response: { 201: RestServiceView, ...errors(400, 401, 403, 413, 415) },
      },
      attachValidation: true,
    },
    async ({ body, caller, validationError }, reply) => {
      const id = await createService(deps, caller, body ?? {}, faultsFrom(validationError))
      return reply.code(201).send(await detailOf(caller, String(id), { isNew: true }))
    },
  )

  app.get(
    '/restservices/:pk',
    {
      config: { operation: 'rest_service.get', access: 'user' },
      schema: {
        summary: 'One rest service',
        tags: ['rest services'],
        params: ServiceParams,
        response: { 200: RestServiceView, ...errors(401, 404) },
      },
    },
    async ({ params, caller }) => detailOf(caller, params.pk),
  )

  for (const { method, body: schema, words } of [
    { method: 'PUT', body: ServiceBody, words: 'The body is the whole service.' },
    { method: 'PATCH', body: PatchService, words: 'What is left out stays.' },
  ] as const) {
    app.route({
      method,
      url: '/restservices/:pk',
      config: { operation: `rest_service.${method.toLowerCase()}`, access: 'user' },
      schema: {
        summary: 'Change a rest service',
        description: `For managers and owners of the form. ${words}`,
        tags: ['rest services'],
        params: ServiceParams,
        body: schema,
        response: { 200: RestServiceView, ...errors(400, 401, 403, 404) },
      },
      attachValidation: true,
      handler: async ({ params, body, caller, validationError }) => {
        const found = await managedService(db, caller, params.pk)
        const faults = faultsFrom(validationError)
        await changeService(deps, caller, { found, body: body ?? {}, faults, isMerge: method === 'PATCH' })
        return detailOf(caller, params.pk)
      },
    })
  }

  app.delete(
    '/restservices/:pk',
    {
      config: { operation: 'rest_service.delete', access: 'user' },
      schema: {
        summary: 'Stop forwarding',
        description: 'For managers and owners of the form. What waits is never sent.',
        tags: ['rest services'],
        params: ServiceParams,
        response: { 204: NoBody, ...errors(401, 403, 404) },
      },
    },
    async ({ params, caller }, reply) => {
      const { service } = await managedService(db, caller, params.pk)
      await deleteService(db, service.id)
      return reply.code(204).send(null)
    },
  )
}
