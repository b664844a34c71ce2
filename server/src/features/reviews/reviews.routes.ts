// Reviews of records: /submissionreview.
import { type Db, largestId } from '../../platform/db/index.js'
import type { Room } from '../../platform/deps.js'
import {
  badRequest,
  type Caller,
  errors,
  Faults,
  invalid,
  NoBody,
  pageOf,
  readerOf,
  refusals,
  sendLinks,
} from '../../platform/http/index.js'
import { sendPage } from '../../platform/long-lists/index.js'
import { Type } from '../../platform/schema/index.js'
import { findRecord, recordIdOf, sightOf } from '../sight/index.js'
import { createReviews } from './create-reviews.js'
import { countReviews, listReviews, type ReviewFilter } from './reviews.queries.js'
import { ReviewBodies, ReviewChanges, ReviewParams, ReviewsQuery, ReviewView, statuses } from './reviews.schemas.js'
import { changeReview, removeReview, visibleReview } from './reviews.service.js'
import { reviewView } from './reviews.views.js'

type Query = Readonly<Record<string, string | undefined>>

const userIdOf = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw badRequest('Invalid value for created_by. It must be a positive integer')
  return Math.min(Number(text), largestId)
}

/** Undefined: of a record that is not there, or that the caller may not see, there are none. */
const filterOf = async (db: Db, caller: Caller, query: Query): Promise<ReviewFilter | undefined> => {
  const { instance, created_by, status } = query
  if (status && !statuses.includes(status)) throw invalid({ status: [`"${status}" is not a valid choice.`] })
  const narrowing = { createdBy: created_by ? userIdOf(created_by) : undefined, status: status || undefined }
  const recordId = instance ? recordIdOf(instance) : undefined
  const scope = await sightOf(db, caller)
  if (recordId === undefined) return { scope, ...narrowing }
  const record = await findRecord(db, scope, recordId)
  return record && { scope: { ...scope, formIds: [record.formId] }, submissionId: record.id, ...narrowing }
}

export const reviewRoutes: Room = async (app, deps) => {
  const { db } = deps

  app.get(
    '/submissionreview',
    {
      config: { operation: 'review.list', access: 'anyone' },
      schema: {
        summary: 'List reviews',
        description: 'Of records that the caller may see.',
        tags: ['reviews'],
        querystring: ReviewsQuery,
        response: { 200: Type.Array(ReviewView), ...errors(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const filter = await filterOf(db, request.caller, request.query)
      const reading = db.readBy(readerOf(request))
      const page = pageOf(request.query, filter === undefined ? 0 : await countReviews(reading, filter))
      sendLinks(request, reply, page)
      if (filter === undefined) return []
      return sendPage(reply, {
        page,
        read: (range) => listReviews(reading, filter, range),
        shown: (reviews) => reviews.map(reviewView),
      })
    },
  )

  app.post(
    '/submissionreview',
    {
      config: { operation: 'review.create', access: 'user' },
      schema: {
        summary: 'Review a record, or several',
        description:
          'For managers and owners of the form. A list is stored as a whole or not at all. What the record says follows the newest review; earlier ones stay.',
        tags: ['reviews'],
        body: ReviewBodies,
        response: {
          201: Type.Union([ReviewView, Type.Array(ReviewView)]),
          ...errors(401, 403, 413, 415),
          ...refusals(400, Type.Array(Faults)),
        },
      },
    },
    async ({ body, caller, origin }, reply) => {
      const views = (await createReviews(deps, caller, body)).map(reviewView)
      const [first] = views
      if (Array.isArray(body) || first === undefined) return reply.code(201).send(views)
      return reply.code(201).header('location', `${origin}/api/v1/submissionreview/${first.id}`).send(first)
    },
  )

  app.get(
    '/submissionreview/:id',
    {
      config: { operation: 'review.get', access: 'anyone' },
      schema: {
        summary: 'One review',
        tags: ['reviews'],
        params: ReviewParams,
        response: { 200: ReviewView, ...errors(401, 404) },
      },
    },
    async ({ params, caller }) => reviewView(await visibleReview(db, caller, params.id)),
  )

  app.patch(
    '/submissionreview/:id',
    {
      config: { operation: 'review.patch', access: 'user' },
      schema: {
        summary: 'Change a review',
        description: 'For managers and owners of the form. What is not given stays.',
        tags: ['reviews'],
        params: ReviewParams,
        body: ReviewChanges,
        response: { 200: ReviewView, ...errors(400, 401, 403, 404) },
      },
    },
    async ({ params, body, caller }) => reviewView(await changeReview(deps, caller, params.id, body)),
  )

  app.delete(
    '/submissionreview/:id',
    {
      config: { operation: 'review.delete', access: 'user' },
      schema: {
        summary: 'Take a review back',
        description: 'For managers and owners of the form. Its comment goes with it.',
        tags: ['reviews'],
        params: ReviewParams,
        response: { 204: NoBody, ...errors(401, 403, 404) },
      },
    },
    async ({ params, caller }, reply) => {
      await removeReview(deps, caller, params.id)
      return reply.code(204).send(null)
    },
  )
}
