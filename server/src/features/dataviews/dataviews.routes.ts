// Dataviews: /dataviews. Seen with their form, changed by its managers and owners.

import type { FastifyRequest } from 'fastify'
import type { Database } from '../../platform/db/index.js'
import type { Room } from '../../platform/deps.js'
import { errors, faultsFrom, NoBody, notFound, pageOf, readerOf, sendLinks } from '../../platform/http/index.js'
import { sendPage } from '../../platform/long-lists/index.js'
import { Type } from '../../platform/schema/index.js'
import { countDataviews, listDataviews } from './dataviews.queries.js'
import { DataviewBody, DataviewParams, DataviewsQuery, DataviewView, PatchDataview } from './dataviews.schemas.js'
import {
  changeDataview,
  createDataview,
  managedDataview,
  removeDataview,
  visibleDataview,
} from './dataviews.service.js'
import { dataviewViews } from './dataviews.views.js'

/** Each names up to 5,000 columns: a megabyte. */
const dataviewsAtOnce = 20

export const dataviewRoutes: Room = async (app, deps) => {
  const { db } = deps

  /** Its records are counted. */
  const detailOf = async (request: Pick<FastifyRequest, 'caller' | 'origin'>, reading: Database, pk: string) => {
    const { caller, origin } = request
    const { dataview } = await visibleDataview(db, caller, pk)
    const [view] = await dataviewViews(reading, origin, caller, [dataview])
    if (view === undefined) throw notFound()
    return view
  }

  app.get(
    '/dataviews',
    {
      config: { operation: 'dataview.list', access: 'user' },
      schema: {
        summary: 'List dataviews',
        description: 'Of every form on which the caller has a role that sees it.',
        tags: ['dataviews'],
        querystring: DataviewsQuery,
        response: { 200: Type.Array(DataviewView), ...errors(401, 404) },
      },
    },
    async (request, reply) => {
      const { query, caller, origin } = request
      const page = pageOf(query, await countDataviews(db, caller.id))
      sendLinks(request, reply, page)
      const reading = db.readBy(readerOf(request))
      return sendPage(reply, {
        page,
        atOnce: dataviewsAtOnce,
        read: (range) => listDataviews(db, caller.id, range),
        shown: (dataviews) => dataviewViews(reading, origin, caller, dataviews),
      })
    },
  )

  app.post(
    '/dataviews',
    {
      config: { operation: 'dataview.create', access: 'user' },
      schema: {
        summary: 'Make a dataview',
        description: 'Some columns of a form’s records, of those that match. For managers and owners of the form.',
        tags: ['dataviews'],
        body: DataviewBody,
        response: { 201: DataviewView, ...errors(400, 401, 403, 413, 415) },
      },
      attachValidation: true,
    },
    async ({ body, caller, origin, validationError }, reply) => {
      const id = await createDataview(deps, { caller, origin }, body ?? {}, faultsFrom(validationError))
      const view = await detailOf({ caller, origin }, db, String(id))
      return reply.code(201).header('location', view.url).send(view)
    },
  )

  app.get(
    '/dataviews/:pk',
    {
      config: { operation: 'dataview.get', access: 'anyone' },
      schema: {
        summary: 'One dataview',
        description: 'With how many records match, of those that the caller sees.',
        tags: ['dataviews'],
        params: DataviewParams,
        response: { 200: DataviewView, ...errors(401, 404) },
      },
    },
    async (request) => detailOf(request, db.readBy(readerOf(request)), request.params.pk),
  )

  for (const { method, body: schema, words } of [
    { method: 'PUT', body: DataviewBody, words: 'The body is the whole dataview.' },
    { method: 'PATCH', body: PatchDataview, words: 'What is left out stays.' },
  ] as const) {
    app.route({
      method,
      url: '/dataviews/:pk',
      config: { operation: `dataview.${method.toLowerCase()}`, access: 'user' },
      schema: {
        summary: 'Change a dataview',
        description: `For managers and owners of the form. ${words}`,
        tags: ['dataviews'],
        params: DataviewParams,
        body: schema,
        response: { 200: DataviewView, ...errors(400, 401, 403, 404) },
      },
      attachValidation: true,
      handler: async ({ params, body, caller, origin, validationError }) => {
        const found = await managedDataview(db, caller, params.pk)
        const faults = faultsFrom(validationError)
        await changeDataview(deps, { caller, origin }, { found, body: body ?? {}, faults, isMerge: method === 'PATCH' })
        return detailOf({ caller, origin }, db, params.pk)
      },
    })
  }

  app.delete(
    '/dataviews/:pk',
    {
      config: { operation: 'dataview.delete', access: 'user' },
      schema: {
        summary: 'Delete a dataview',
        description: 'For managers and owners of the form. The records stay.',
        tags: ['dataviews'],
        params: DataviewParams,
        response: { 204: NoBody, ...errors(401, 403, 404) },
      },
    },
    async ({ params, caller }, reply) => {
      await removeDataview(deps, caller, params.pk)
      return reply.code(204).send(null)
    },
  )
}
