// Events: /messaging. Read by whoever has to do with the form, project or user; what happened is recorded by the rooms
// where it happens, here people only add what they have to say.
import type { Db } from '../../platform/db/index.js'
import type { Room } from '../../platform/deps.js'
import {
  type Caller,
  errors,
  forbidden,
  invalid,
  largestPageSize,
  NoBody,
  notFound,
  pageOf,
  readerOf,
  sendLinks,
} from '../../platform/http/index.js'
import { sendPage } from '../../platform/long-lists/index.js'
import { Type } from '../../platform/schema/index.js'
import { countEvents, deleteEvent, findEvent, listEvents, recordMessage } from '../messaging/index.js'
import { filterOf, targetOf } from './filters.js'
import { listSeenForms } from './messages.queries.js'
import { EventParams, EventsQuery, EventView, NewMessage, NewMessageView } from './messages.schemas.js'
import { eventView } from './messages.views.js'
import { findSight, readableTarget } from './sight.js'

/** Without a page, lists that are not too long come whole. */
const pageQuery = ({ page, page_size }: { page?: string; page_size?: string }) => ({
  ...(page !== undefined && { page }),
  ...((page_size ?? page) === undefined ? { page_size: String(largestPageSize) } : page_size && { page_size }),
})

const readableEvent = async (db: Db, caller: Caller, pk: string) => {
  const id = /^\d{1,15}$/.test(pk) ? Number(pk) : 0
  const event = await findEvent(db, id, await listSeenForms(db, caller.id))
  const sight = event && (await findSight(db, caller, event.target))
  if (event === undefined || sight === undefined) throw notFound()
  if (!sight.mayRead && event.userId !== caller.id) throw forbidden()
  return { event, sight }
}

export const messageRoutes: Room = async (app, { db, clock }) => {
  app.get(
    '/messaging',
    {
      config: { operation: 'event.list', access: 'user' },
      schema: {
        summary: 'What happened to a form, a project or a user',
        description: 'For those who have a role there; of a user, for themselves. Newest first.',
        tags: ['messaging'],
        querystring: EventsQuery,
        response: { 200: Type.Array(EventView), ...errors(400, 401, 403, 404) },
      },
    },
    async (request, reply) => {
      const { query, caller } = request
      const target = targetOf(query)
      await readableTarget(db, caller, target)
      const filter = await filterOf(db, query)
      const reading = db.readBy(readerOf(request))
      const page = pageOf(pageQuery(query), filter === undefined ? 0 : await countEvents(reading, target, filter))
      sendLinks(request, reply, page)
      if (filter === undefined) return []
      return sendPage(reply, {
        page,
        read: (range) => listEvents(reading, target, filter, range),
        shown: (events) => events.map(eventView),
      })
    },
  )

  app.post(
    '/messaging',
    {
      config: { operation: 'event.create', access: 'user' },
      schema: {
        summary: 'Say something about a form, a project or to a user',
        description:
          'For editors and above of a form or project; to oneself and to people of the same organization or project.',
        tags: ['messaging'],
        body: NewMessage,
        response: { 201: NewMessageView, ...errors(400, 401, 403, 413, 415) },
      },
    },
    async ({ body, caller }, reply) => {
      const { target_type, target_id, message } = body
      const target = targetFrom(target_type, target_id)
      const sight = await findSight(db, caller, target)
      if (sight === undefined) throw invalid({ target_id: ['target_id not found'] })
      if (!sight.mayWrite) {
        throw forbidden(`You do not have permission to add messages to target_id ${target_id}.`)
      }
      const now = clock.now()
      const id = await recordMessage(db, { target, message, userId: caller.id, now })
      const event = { id, verb: 'message', ids: null, message, userId: caller.id, username: caller.username }
      return reply.code(201).send({ ...eventView({ ...event, createdAt: now }), target_id, target_type })
    },
  )

  app.get(
    '/messaging/:id',
    {
      config: { operation: 'event.get', access: 'user' },
      schema: {
        summary: 'One event',
        tags: ['messaging'],
        params: EventParams,
        response: { 200: EventView, ...errors(401, 403, 404) },
      },
    },
    async ({ params, caller }) => eventView((await readableEvent(db, caller, params.id)).event),
  )

  app.delete(
    '/messaging/:id',
    {
      config: { operation: 'event.delete', access: 'user' },
      schema: {
        summary: 'Remove a message',
        description: 'For its author, for managers and owners of its target, and for the user it was written to.',
        tags: ['messaging'],
        params: EventParams,
        response: { 204: NoBody, ...errors(401, 403, 404) },
      },
    },
    async ({ params, caller }, reply) => {
      const { event, sight } = await readableEvent(db, caller, params.id)
      const isTheirs = event.userId === caller.id || sight.mayRemove
      // What happened has happened.
      if (event.verb !== 'message' || !isTheirs) throw forbidden()
      await deleteEvent(db, event)
      return reply.code(204).send(null)
    },
  )
}

const targetFrom = (type: string, id: number) => targetOf({ target_type: type, target_id: String(Math.max(0, id)) })
