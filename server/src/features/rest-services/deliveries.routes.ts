// What became of what a rest service sends: /restservices/{pk}/deliveries, replay and test. For those who manage the form.
import { randomBytes } from 'node:crypto'
import type { Room } from '../../platform/deps.js'
import { badRequest, errors, invalid, notFound, pageOf, sendLinks } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import {
  countDeliveries,
  countRunningPushes,
  findDelivery,
  insertPush,
  listDeliveries,
  retryDelivery,
} from '../deliveries/index.js'
import { beingSent, nothingToSend, tooManyReplays } from './rest-services.errors.js'
import { endRest } from './rest-services.queries.js'
import {
  DeliveriesQuery,
  DeliveryParams,
  DeliveryView,
  deliveryStates,
  EmptyBody,
  ReplayBody,
  ReplayView,
  ServiceParams,
  TestView,
} from './rest-services.schemas.js'
import { managedService } from './rest-services.service.js'
import { deliveryView } from './rest-services.views.js'
import { sampleRecord } from './sample.js'
import { sendMessage } from './send.js'

/** Of one service at the same time: each is looked at every second. */
const mostPushes = 10

export const deliveryRoutes: Room = async (app, deps) => {
  const { db, clock } = deps

  app.get(
    '/restservices/:pk/deliveries',
    {
      config: { operation: 'rest_service.delivery.list', access: 'user' },
      schema: {
        summary: 'What was sent, and what became of it',
        description: 'For managers and owners of the form; newest first.',
        tags: ['rest services'],
        params: ServiceParams,
        querystring: DeliveriesQuery,
        response: { 200: Type.Array(DeliveryView), ...errors(400, 401, 403, 404) },
      },
    },
    async (request, reply) => {
      const { params, query, caller } = request
      const { service } = await managedService(db, caller, params.pk)
      const state = deliveryStates.find((one) => one === query.state)
      if (query.state && state === undefined) throw badRequest(`state must be one of ${deliveryStates.join(', ')}.`)
      const filter = { service, state }
      const page = pageOf(query, await countDeliveries(db, filter))
      sendLinks(request, reply, page)
      const now = clock.now()
      const deliveries = await listDeliveries(db, filter, { offset: page.offset, limit: page.size })
      return deliveries.map((delivery) => deliveryView(service.id, delivery, now))
    },
  )

  app.post(
    '/restservices/:pk/deliveries/:id/retry',
    {
      config: { operation: 'rest_service.delivery.retry', access: 'user' },
      schema: {
        summary: 'Send one delivery again',
        description: 'For managers and owners of the form. At once, whatever its state, under the same webhook-id.',
        tags: ['rest services'],
        params: DeliveryParams,
        body: EmptyBody,
        response: { 200: DeliveryView, ...errors(400, 401, 403, 404) },
      },
    },
    async ({ params, caller }) => {
      const { service } = await managedService(db, caller, params.pk)
      const id = /^\d{1,15}$/.test(params.id) ? Number(params.id) : 0
      const now = clock.now()
      if ((await findDelivery(db, service, id)) === undefined) throw notFound()
      const delivery = await retryDelivery(db, service, id, now)
      if (delivery === undefined) throw beingSent()
      await endRest(db, service.id)
      return deliveryView(service.id, delivery, now)
    },
  )

  app.post(
    '/restservices/:pk/replay',
    {
      config: { operation: 'rest_service.replay', access: 'user' },
      schema: {
        summary: 'Send everything of a time again',
        description:
          'For managers and owners of the form. Submissions received from `from` to `to`, in the order of their ids, under the same webhook-ids as before.',
        tags: ['rest services'],
        params: ServiceParams,
        body: ReplayBody,
        response: { 202: ReplayView, ...errors(400, 401, 403, 404) },
      },
    },
    async ({ params, body, caller }, reply) => {
      const { service } = await managedService(db, caller, params.pk)
      if (service.serviceUrl === '') throw nothingToSend()
      const [from, to, now] = [new Date(body.from), new Date(body.to), clock.now()]
      if (from > to) throw invalid({ to: ['It must not be before from.'] })
      if ((await countRunningPushes(db, service.id)) >= mostPushes) throw tooManyReplays(mostPushes)
      const range = { cause: 'replayed', from, to, startsAt: now, requestedBy: caller.id, now } as const
      const submissions = await insertPush(db, { serviceId: service.id, formId: service.formId, ...range })
      return reply.code(202).send({ submissions, from: from.toISOString(), to: to.toISOString() })
    },
  )

  app.post(
    '/restservices/:pk/test',
    {
      config: { operation: 'rest_service.test', access: 'user' },
      schema: {
        summary: 'Send a signed sample',
        description: 'For managers and owners of the form. One call, now; the answer tells what the receiver said.',
        tags: ['rest services'],
        params: ServiceParams,
        body: EmptyBody,
        response: { 200: TestView, ...errors(400, 401, 403, 404) },
      },
    },
    async ({ params, caller }) => {
      const { service, form } = await managedService(db, caller, params.pk)
      if (service.serviceUrl === '') throw nothingToSend()
      const id = `test_${randomBytes(8).toString('hex')}`
      const destination = { ...service, idString: form.idString }
      const verdict = await sendMessage(deps, destination, { id, record: sampleRecord(form, clock.now()) })
      const { status, error, response } = verdict
      return { delivered: verdict.kind === 'delivered', message_id: id, status, error, response }
    },
  )
}
