// Charts: /charts, /charts/{formid}, /dataviews/{pk}/charts. For whoever sees records of the form, and of these alone.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../platform/deps.js'
import {
  type App,
  errors,
  pageOf as listPageOf,
  readerOf,
  sendLinks,
  sharingReaderOf,
} from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { type ListQuery, sendText } from '../data/index.js'
import { countForms, type Form, listForms } from '../forms/index.js'
import { type Asked, dataOf, isPage, pageOf } from './answers.js'
import type { ChartCache } from './chart-cache.js'
import { ChartAnswer, ChartEntry, ChartParams, ChartQuery, ChartsQuery, ChartViewParams } from './charts.schemas.js'
import type { Drawer } from './drawing/thread.js'
import { narrowed } from './narrowing.js'
import { securityPolicy } from './page-look.js'
import { dataviewSubject, formSubject, type Subject } from './subject.js'

const entryOf = (origin: string) => (form: Form) => ({
  id: form.id,
  id_string: form.idString,
  url: `${origin}/api/v1/charts/${form.id}`,
})

const jsonType = 'application/json; charset=utf-8'
const pageType = 'text/html; charset=utf-8'

/** By its suffix or by its format, not by what a browser accepts. */
const isNamedPage = ({ originalUrl, query }: FastifyRequest): boolean =>
  /^[^?]*\.html\/?(\?|$)/.test(originalUrl) || (query as { format?: string }).format === 'html'

export const chartRoutes = async (app: App, { db, clock }: Deps, cached: ChartCache, drawer: Drawer): Promise<void> => {
  const answer = async (request: FastifyRequest, reply: FastifyReply, whole: Subject, address: string) => {
    const asked = request.query as Asked
    const subject = await narrowed(
      db.reading(readerOf(request), whole.population.seen.form.asOf),
      whole,
      request.query as ListQuery,
    )
    // As of when it is counted, not of when it was asked for: what is kept shows no record that was deleted before.
    const asking = { db: db.reading(sharingReaderOf(request)), cached, subject, asked, address }
    reply.header('vary', 'Accept, Accept-Encoding, Authorization')
    if (request.format === 'html' && isPage(asked, isNamedPage(request))) {
      const page = await pageOf(asking, drawer, clock.now())
      return sendText(reply.header('content-security-policy', securityPolicy), pageType, page)
    }
    return sendText(reply, jsonType, await dataOf(asking))
  }

  app.get(
    '/charts',
    {
      config: { operation: 'chart.list', access: 'anyone' },
      schema: {
        summary: 'Forms that can be charted',
        description: 'Those whose records the caller sees; for anonymous callers those with public data.',
        tags: ['charts'],
        querystring: ChartsQuery,
        response: { 200: Type.Array(ChartEntry), ...errors(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const { query, caller, origin } = request
      const filter = { callerId: caller.id, may: 'view_data', withPublic: false } as const
      const page = listPageOf(query, await countForms(db, filter))
      sendLinks(request, reply, page)
      return (await listForms(db, filter, { offset: page.offset, limit: page.size })).map(entryOf(origin))
    },
  )

  app.get(
    '/charts/:pk',
    {
      config: { operation: 'chart.get', access: 'anyone', formats: ['json', 'html'] },
      schema: {
        summary: 'Charts of a form',
        description:
          'What can be charted; with `field_name` the chart of that field, as data or, with the suffix `.html`, as a page; with `fields` the data of several. Counts are of the records that the caller sees, and up to ten minutes old. `query`, `search`, `bbox` and `polygon` choose among them as in lists.',
        tags: ['charts'],
        params: ChartParams,
        querystring: ChartQuery,
        response: { 200: ChartAnswer, ...errors(400, 401, 404, 406) },
      },
    },
    async (request, reply) => {
      const subject = await formSubject(db, request.caller, request.params.pk)
      return answer(request, reply, subject, `${request.origin}/api/v1/charts/${subject.id}`) as never
    },
  )

  app.get(
    '/dataviews/:pk/charts',
    {
      config: { operation: 'dataview.charts', access: 'anyone', formats: ['json', 'html'] },
      schema: {
        summary: 'Charts of a dataview',
        description: 'As those of its form, of the records and columns of the dataview.',
        tags: ['dataviews'],
        params: ChartViewParams,
        querystring: ChartQuery,
        response: { 200: ChartAnswer, ...errors(400, 401, 404, 406) },
      },
    },
    async (request, reply) => {
      const subject = await dataviewSubject(db, request.caller, request.params.pk)
      return answer(request, reply, subject, `${request.origin}/api/v1/dataviews/${subject.id}/charts`) as never
    },
  )
}
