// Widgets: /widgets. A role on the form shows them, a key shows one to anybody.
import type { Room } from '../../platform/deps.js'
import { errors, faultsFrom, NoBody, pageOf, sendLinks, sharingReaderOf } from '../../platform/http/index.js'
import { sendPage } from '../../platform/long-lists/index.js'
import { Type } from '../../platform/schema/index.js'
import { booleanOf } from '../../platform/words/index.js'
import { dataSight } from '../forms/index.js'
import { widgetKeyRoutes } from './keys.routes.js'
import { filteredWidgets } from './listing.js'
import { sourceOf } from './sources.js'
import { widgetCounting } from './widget-data.js'
import { widgetFigures } from './widget-figures.js'
import type { Row } from './widget-rows.js'
import { countWidgetsOf, listWidgetsOf } from './widgets.queries.js'
import { PatchWidget, WidgetBody, WidgetParams, WidgetQuery, WidgetsQuery, WidgetView } from './widgets.schemas.js'
import {
  changeableWidget,
  changeWidget,
  createWidget,
  type FoundWidget,
  removeWidget,
  visibleWidget,
} from './widgets.service.js'
import { widgetView } from './widgets.views.js'

const viewOf = (origin: string, { widget, form }: FoundWidget, data?: Row[]) =>
  widgetView(origin, widget, { seesAll: dataSight(form) === 'all', data })

export const widgetRoutes: Room = async (app, deps) => {
  const { db } = deps
  const dataOf = widgetCounting()
  const figuresOf = widgetFigures(deps)
  await widgetKeyRoutes(app, deps)

  app.get(
    '/widgets',
    {
      config: { operation: 'widget.list', access: 'anyone' },
      schema: {
        summary: 'List widgets',
        description:
          'Of every form on which the caller has a role, without data. With `xform` or `dataview` those of one form or dataview, with data; anonymous callers see them where the data are public. With `key` the one that has it, with all data, for anybody.',
        tags: ['widgets'],
        querystring: WidgetsQuery,
        response: { 200: Type.Array(WidgetView), ...errors(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const { query, caller, origin } = request
      const shown = await filteredWidgets(db, caller, query)
      if (shown !== undefined) {
        const { widgets, source, sight } = shown
        const reading = db.reading(sharingReaderOf(request))
        const reader = { callerId: caller.id, sight }
        const seesAll = sight === 'all'
        if (booleanOf(query.figures ?? '') === true) {
          const figures = await figuresOf({ db: reading, source, widgets, reader })
          return widgets.map((widget) => widgetView(origin, widget, { seesAll, figure: figures.get(widget.id) }))
        }
        const data = await dataOf({ db: reading, source, widgets, reader })
        return widgets.map((widget) => widgetView(origin, widget, { seesAll, data: data.get(widget.id) }))
      }
      const page = pageOf(query, await countWidgetsOf(db, caller.id))
      sendLinks(request, reply, page)
      return sendPage(reply, {
        page,
        read: (range) => listWidgetsOf(db, caller.id, range),
        shown: (widgets) => widgets.map((widget) => widgetView(origin, widget, widget)),
      })
    },
  )

  app.post(
    '/widgets',
    {
      config: { operation: 'widget.create', access: 'user' },
      schema: {
        summary: 'Keep a chart',
        description: 'For those who may change the form.',
        tags: ['widgets'],
        body: WidgetBody,
        response: { 201: WidgetView, ...errors(400, 401, 403, 413, 415) },
      },
      attachValidation: true,
    },
    async ({ body, caller, origin, validationError }, reply) => {
      const view = viewOf(origin, await createWidget(deps, caller, body ?? {}, faultsFrom(validationError)))
      return reply.code(201).header('location', view.url).send(view)
    },
  )

  app.get(
    '/widgets/:pk',
    {
      config: { operation: 'widget.get', access: 'user' },
      schema: {
        summary: 'One widget',
        description: 'With `data=true` its data, as far as the caller may see records.',
        tags: ['widgets'],
        params: WidgetParams,
        querystring: WidgetQuery,
        response: { 200: WidgetView, ...errors(400, 401, 404) },
      },
    },
    async (request) => {
      const { params, query, caller, origin } = request
      const found = await visibleWidget(db, caller, params.pk)
      if (booleanOf(query.data ?? '') !== true) return viewOf(origin, found)
      const { widget, form } = found
      const reader = { callerId: caller.id, sight: dataSight(form) }
      const reading = db.reading(sharingReaderOf(request))
      const source = await sourceOf(db, form, widget)
      const data = await dataOf({ db: reading, source, widgets: [widget], reader })
      return viewOf(origin, found, data.get(widget.id))
    },
  )

  for (const { method, body: schema, words } of [
    { method: 'PUT', body: WidgetBody, words: 'The body is the whole widget; without `order` it keeps its place.' },
    { method: 'PATCH', body: PatchWidget, words: 'What is left out stays.' },
  ] as const) {
    app.route({
      method,
      url: '/widgets/:pk',
      config: { operation: `widget.${method.toLowerCase()}`, access: 'user' },
      schema: {
        summary: 'Change a widget',
        description: `For those who may change the form; what it counts, for those who see all its records. ${words}`,
        tags: ['widgets'],
        params: WidgetParams,
        body: schema,
        response: { 200: WidgetView, ...errors(400, 401, 403, 404) },
      },
      attachValidation: true,
      handler: async ({ params, body, caller, origin, validationError }) => {
        const found = await changeableWidget(db, caller, params.pk)
        const faults = faultsFrom(validationError)
        const change = { found, body: body ?? {}, faults, isMerge: method === 'PATCH' }
        return viewOf(origin, await changeWidget(deps, caller, change))
      },
    })
  }

  app.delete(
    '/widgets/:pk',
    {
      config: { operation: 'widget.delete', access: 'user' },
      schema: {
        summary: 'Delete a widget',
        description: 'For those who may change the form. The next ones move up.',
        tags: ['widgets'],
        params: WidgetParams,
        response: { 204: NoBody, ...errors(401, 403, 404) },
      },
    },
    async ({ params, caller }, reply) => {
      await removeWidget(db, caller, await changeableWidget(db, caller, params.pk))
      return reply.code(204).send(null)
    },
  )
}
