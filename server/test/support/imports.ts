// Files of records as people send them, and what became of them.

import { beforeAll } from 'vitest'
import { sql } from '../../src/platform/db/index.js'
import { runPendingJobs } from '../../src/platform/jobs/index.js'
import type { Account, TestApp } from './app.js'
import { type PublishedForm, publish, sheet } from './forms.js'
import { multipart } from './multipart.js'
import { instance, newId, send } from './submissions.js'

export const householdSheet = (settings: Record<string, string> = {}): string =>
  sheet(
    `type,name,label,required
     start,start,,
     end,end,,
     text,name,Name,yes
     integer,age,Age,
     decimal,height,Height,
     date,born,Born,
     dateTime,seen,Seen,
     time,meal,Meal,
     select_one sex,sex,Sex,
     select_multiple colour,colours,Colours,
     begin group,home,Home,
     geopoint,gps,Place,
     image,photo,Photo,
     end group,,,
     begin repeat,kids,Kids,
     text,kid,Kid,
     begin repeat,toys,Toys,
     text,toy,Toy,
     end repeat,,,
     end repeat,,,`,
    {
      choices: 'list_name,name,label\nsex,f,Female\nsex,m,Male\ncolour,red,Red\ncolour,blue,Blue',
      settings,
    },
  )

export interface SendOptions {
  field?: string
  fileName?: string
  path?: 'import' | 'csv_import'
  query?: Record<string, string>
  fields?: Record<string, string>
}

export const sendTable = (
  app: TestApp,
  account: Account | null,
  formId: number,
  content: string | Buffer,
  { field = 'csv_file', fileName = 'data.csv', path = 'csv_import', query, fields = {} }: SendOptions = {},
) => {
  const { body, headers } = multipart([
    ...Object.entries(fields).map(([name, value]) => ({ name, content: value })),
    { name: field, filename: fileName, type: 'application/octet-stream', content },
  ])
  const call = account === null ? app.call.bind(app) : app.as(account)
  return call('POST', `/forms/${formId}/${path}`, { body, headers, ...(query && { query }) })
}

export interface StoredRecord {
  id: number
  uuid: string
  xml: string
  answers: Record<string, unknown>
  [column: string]: unknown
}

export const recordsOf = (app: TestApp, formId: number) =>
  app.database.db.rows<StoredRecord>(sql`
    select submissions.*, users.username from submissions left join users on users.id = submitted_by
    where form_id = ${formId} order by id`)

export const eventsOf = (app: TestApp, formId: number) =>
  app.database.db.rows<{ verb: string; ids: number[]; userId: number }>(sql`
    select verb, ids::float8[] as ids, user_id as "userId" from form_events where form_id = ${formId} order by id`)

export const countOf = async (app: TestApp, formId: number): Promise<number> =>
  (
    await app.database.db.one<{ count: number }>(sql`
      select coalesce(sum(submissions), 0) as count from form_counts where form_id = ${formId}`)
  ).count

export const runJobs = (app: TestApp) => runPendingJobs(app.deps.db, app.deps.jobs, app.deps.log)

/** A zip of parts that are deflated already; their checksums are not written. */
export const zipOf = (parts: readonly { name: string; data: Buffer; size: number }[]): Buffer => {
  const locals: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const { name, data, size } of parts) {
    // Version, flags, method, time, date, checksum, sizes, length of the name.
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(data.length, 14)
    fields.writeUInt32LE(size, 18)
    fields.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), data])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    const made = Buffer.from([20, 0])
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02'), made, fields, place, Buffer.from(name)]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(parts.length, 4)
  end.writeUInt16LE(parts.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06'), end])
}

/** A form of households, and files for it, as tests of what imports say need them. `form` is the last one that was made. */
export const householdOf = (app: TestApp) => {
  const household = {
    ana: undefined as unknown as Account,
    form: undefined as unknown as PublishedForm,
    /** With these records; answers their instance ids. */
    newForm: async (...records: string[]): Promise<string[]> => {
      household.form = await publish(app, household.ana, householdSheet({ version: '1' }))
      const ids = records.map(() => newId())
      for (const [at, xml] of records.entries()) {
        await send(app, household.ana, '', instance(household.form, xml, { id: ids[at] as string }))
      }
      return ids
    },
    post: async (content: string | Buffer, options: SendOptions = {}) =>
      (
        await sendTable(app, household.ana, household.form.formid, content, { path: 'import', ...options })
      ).json() as Record<string, unknown>,
  }
  beforeAll(async () => {
    household.ana = await app.account({ username: 'ana' })
  })
  return household
}
