// Statistics: /stats, /stats/submissions. For whoever sees records of the form, and of these alone.
import type { FastifyRequest } from 'fastify'
import type { Room } from '../../platform/deps.js'
import { errors, pageOf, sendLinks, sharingReaderOf } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { booleanOf } from '../../platform/words/index.js'
import { formSubject, openChartCache } from '../charts/index.js'
import { sendText } from '../data/index.js'
import { countForms, listForms } from '../forms/index.js'
import { needsGroup } from './stats.errors.js'
import { countsBy, statsOf } from './stats.js'
import {
  CountsQuery,
  CountsView,
  StatsEntry,
  StatsListQuery,
  StatsParams,
  StatsQuery,
  StatsView,
} from './stats.schemas.js'

const jsonType = 'application/json; charset=utf-8'

const isFresh = ({ query }: FastifyRequest): boolean =>
  booleanOf((query as { refresh?: string }).refresh ?? '') === true

export const statsRoutes: Room = async (app, deps) => {
  const { db } = deps
  const cached = openChartCache(deps)

  for (const { path, operation } of [
    { path: '/stats', operation: 'stats.list' },
    { path: '/stats/submissions', operation: 'stats.submissions.list' },
  ]) {
    app.get(
      path,
      {
        config: { operation, access: 'anyone' },
        schema: {
          summary: 'Forms with statistics',
          description: 'Those whose records the caller sees; for anonymous callers those with public data.',
          tags: ['charts'],
          querystring: StatsListQuery,
          response: { 200: Type.Array(StatsEntry), ...errors(400, 401, 404) },
        },
      },
      async (request, reply) => {
        const filter = { callerId: request.caller.id, may: 'view_data', withPublic: false } as const
        const page = pageOf(request.query, await countForms(db, filter))
        sendLinks(request, reply, page)
        const forms = await listForms(db, filter, { offset: page.offset, limit: page.size })
        return forms.map(({ id, idString }) => ({
          id,
          id_string: idString,
          url: `${request.origin}/api/v1${path}/${id}`,
        }))
      },
    )
  }

  app.get(
    '/stats/:pk',
    {
      config: { operation: 'stats.get', access: 'anyone' },
      schema: {
        summary: 'Mean, median, mode and range of numeric questions',
        description: 'Of the records that the caller sees; up to ten minutes old.',
        tags: ['charts'],
        params: StatsParams,
        querystring: StatsQuery,
        response: { 200: StatsView, ...errors(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const { params, query, caller } = request
      const subject = await formSubject(db, caller, params.pk)
      const asked = { field: query.field ?? '', method: query.method ?? '' }
      const count = statsOf(subject, asked)
      const make = async () => JSON.stringify(await count(db.reading(sharingReaderOf(request))))
      const about = ['stats', asked, subject.scope]
      return sendText(
        reply,
        jsonType,
        await cached({ formId: subject.id, isFresh: isFresh(request), about, make }),
      ) as never
    },
  )

  app.get(
    '/stats/submissions/:pk',
    {
      config: { operation: 'stats.submissions.get', access: 'anyone' },
      schema: {
        summary: 'How many records there are of each value',
        description: 'Times are counted by day, choices are shown by their labels; up to ten minutes old.',
        tags: ['charts'],
        params: StatsParams,
        querystring: CountsQuery,
        response: { 200: CountsView, ...errors(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const { params, query, caller } = request
      const subject = await formSubject(db, caller, params.pk)
      if (!query.group) throw needsGroup()
      const name = query.name || query.group
      const count = countsBy(subject, query.group, name)
      const make = async () => JSON.stringify(await count(db.reading(sharingReaderOf(request))))
      const about = ['counts', query.group, name, subject.scope]
      return sendText(
        reply,
        jsonType,
        await cached({ formId: subject.id, isFresh: isFresh(request), about, make }),
      ) as never
    },
  )
}
