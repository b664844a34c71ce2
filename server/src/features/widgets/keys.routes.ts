// The key of a widget: /widgets/{pk}/key.
import type { Room } from '../../platform/deps.js'
import { errors, NoBody } from '../../platform/http/index.js'
import { renewKey, withdrawKey } from './keys.js'
import { WidgetParams, WidgetView } from './widgets.schemas.js'
import { widgetView } from './widgets.views.js'

export const widgetKeyRoutes: Room = async (app, deps) => {
  app.post(
    '/widgets/:pk/key',
    {
      config: { operation: 'widget.key.renew', access: 'user' },
      schema: {
        summary: 'Give a widget a new key',
        description:
          'The former one opens nothing any more: links with it are not found. For those who may change the form and see all its records; the new key acts for the caller.',
        tags: ['widgets'],
        params: WidgetParams,
        response: { 200: WidgetView, ...errors(401, 403, 404) },
      },
    },
    async ({ params, caller, origin }) => {
      const { widget } = await renewKey(deps, caller, params.pk)
      return widgetView(origin, widget, { seesAll: true })
    },
  )

  app.delete(
    '/widgets/:pk/key',
    {
      config: { operation: 'widget.key.withdraw', access: 'user' },
      schema: {
        summary: 'Withdraw the key of a widget',
        description:
          'It opens nothing any more, and the widget has none until it is given a new one or saved. For those who may change the form and see all its records.',
        tags: ['widgets'],
        params: WidgetParams,
        response: { 204: NoBody, ...errors(401, 403, 404) },
      },
    },
    async ({ params, caller }, reply) => {
      await withdrawKey(deps, caller, params.pk)
      return reply.code(204).send(null)
    },
  )
}
