// Forms that have data: /data, /data/public, /data.csv.
import { csvLine } from '../../formats/csv/index.js'
import type { Room } from '../../platform/deps.js'
import { errors, pageOf, sendLinks } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { countForms, countPublicForms, type Form, listForms, listPublicForms } from '../forms/index.js'
import { EntriesQuery, EntryView } from './entries.schemas.js'
import { unknownFormat } from './lists/index.js'

const entryOf = (origin: string, suffix: string) => (form: Form) => ({
  id: form.id,
  id_string: form.idString,
  title: form.title,
  description: form.description,
  url: `${origin}/api/v1/data/${form.id}${suffix}`,
})

const columns = ['description', 'id', 'id_string', 'title', 'url'] as const

const tagsIn = (text: string | undefined): string[] | undefined =>
  text ? text.split(',').map((tag) => tag.trim()) : undefined

export const entryRoutes: Room = async (app, { db }) => {
  app.get(
    '/data',
    {
      config: { operation: 'data.entries', access: 'anyone', formats: ['json', 'csv'], unknownFormat },
      schema: {
        summary: 'Forms whose data the caller may see',
        description: 'Anonymous callers see those with public data. With `owner` also the public ones of that account.',
        tags: ['data'],
        querystring: EntriesQuery,
        response: { 200: Type.Array(EntryView), ...errors(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const { query, caller, origin, format } = request
      // A blank parameter is none.
      const owner = query.owner || undefined
      const filter = {
        callerId: caller.id,
        owner,
        tags: tagsIn(query.tags),
        notTagged: tagsIn(query.not_tagged),
        may: 'view_data' as const,
        withPublic: owner !== undefined,
      }
      const page = pageOf(query, await countForms(db, filter))
      sendLinks(request, reply, page)
      const forms = await listForms(db, filter, { offset: page.offset, limit: page.size })
      if (format !== 'csv') return forms.map(entryOf(origin, ''))
      const rows = forms.map(entryOf(origin, '.csv')).map((entry) => columns.map((name) => String(entry[name])))
      return reply
        .type('text/csv; charset=utf-8')
        .serializer(String)
        .send([columns, ...rows].map((row) => csvLine(row)).join('') as never)
    },
  )

  app.get(
    '/data/public',
    {
      config: { operation: 'data.entries.public', access: 'anyone', unknownFormat },
      schema: {
        summary: 'Forms that are public, or whose data are',
        tags: ['data'],
        querystring: EntriesQuery,
        response: { 200: Type.Array(EntryView), ...errors(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const page = pageOf(request.query, await countPublicForms(db, 'any'))
      sendLinks(request, reply, page)
      const range = { offset: page.offset, limit: page.size }
      return (await listPublicForms(db, request.caller.id, 'any', range)).map(entryOf(request.origin, ''))
    },
  )
}
