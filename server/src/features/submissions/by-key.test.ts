import { afterAll, beforeAll, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { publish, sheet, visitSheet } from '../../../test/support/forms.js'
import { newKey } from '../../../test/support/keys.js'
import { multipart } from '../../../test/support/multipart.js'
import { listen, post } from '../../../test/support/posting.js'
import { newProject } from '../../../test/support/projects.js'
import { instance, newId, submissionBody } from '../../../test/support/submissions.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
beforeAll(() => listen(app))
afterAll(() => app.http.app.server.closeAllConnections())

const send = async (token: string, xml: string): Promise<number> => {
  const { body, headers } = submissionBody(xml)
  return (await post(app, { path: `/key/${token}/submission?deviceID=a`, headers, body })).status
}

it('what comes by the key of a device is counted beside what others count: only links have one place for all', async () => {
  const ana = await app.account()
  const project = await newProject(app, ana)
  const form = await publish(app, ana, visitSheet({ form_id: 'visit' }), { project })
  const { token } = await newKey(app, ana, project)
  // The first in the ordinary way, the others by what is remembered of it.
  for (let count = 0; count < 3; count++) expect(await send(token, instance(form, '<name>Zoe</name>'))).toBe(201)
  const counts = await app.database.db.rows<{ slot: number; records: number }>(
    sql`select slot, records::int as records from device_key_counts`,
  )
  expect(counts.reduce((sum, { records }) => sum + records, 0)).toBe(3)
  expect(counts.map(({ slot }) => slot)).not.toContain(0)
})

it('a device edits what it sent by the version that it names, whatever the newest says', async () => {
  const ana = await app.account()
  const project = await newProject(app, ana)
  const versionOf = (version: string, editable: string) =>
    sheet('type,name,label\ntext,name,Name', { settings: { form_id: 'edited', version, client_editable: editable } })
  const form = await publish(app, ana, versionOf('1', 'yes'), { project })
  const { token } = await newKey(app, ana, project)
  const [first, second] = [newId(), newId()]
  expect(await send(token, instance(form, '<name>Zoe</name>', { id: first }))).toBe(201)
  const newer = multipart([{ name: 'xls_file', filename: 'form.csv', type: 'text/csv', content: versionOf('2', '') }])
  expect((await app.as(ana)('PATCH', `/forms/${form.formid}`, newer)).statusCode).toBe(200)
  const edit = (version: string, id: string, deprecated: string) =>
    send(token, instance({ ...form, version }, '<name>Amina</name>', { id, deprecated }))
  expect(await edit('2', second, first)).toBe(403)
  expect(await edit('1', second, first)).toBe(201)
})
