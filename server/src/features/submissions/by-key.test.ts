import { afterAll, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { publish, visitSheet } from '../../../test/support/forms.js'
import { newKey } from '../../../test/support/keys.js'
import { listen, post } from '../../../test/support/posting.js'
import { newProject } from '../../../test/support/projects.js'
import { instance, submissionBody } from '../../../test/support/submissions.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
afterAll(() => app.http.app.server.closeAllConnections())

it('what comes by the key of a device is counted beside what others count: only links have one place for all', async () => {
  const ana = await app.account()
  const project = await newProject(app, ana)
  const form = await publish(app, ana, visitSheet({ form_id: 'visit' }), { project })
  const { token } = await newKey(app, ana, project)
  await listen(app)
  // The first in the ordinary way, the others by what is remembered of it.
  for (let count = 0; count < 3; count++) {
    const { body, headers } = submissionBody(instance(form, '<name>Zoe</name>'))
    expect((await post(app, { path: `/key/${token}/submission?deviceID=a`, headers, body })).status).toBe(201)
  }
  const counts = await app.database.db.rows<{ slot: number; records: number }>(
    sql`select slot, records::int as records from device_key_counts`,
  )
  expect(counts.reduce((sum, { records }) => sum + records, 0)).toBe(3)
  expect(counts.map(({ slot }) => slot)).not.toContain(0)
})
