// What is asked once more of calls in the moment before they are written.
import { expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { newProject } from '../../../test/support/projects.js'
import { Forwarding } from '../../../test/support/rest-services.js'
import { sql } from '../../platform/db/index.js'
import { confirmCalls } from './records.queries.js'

const app = testApp()

it('each call is told of its own record and its own service, in the order given', async () => {
  const { db } = app.deps
  const owner = await app.account()
  const [one, other] = [
    await Forwarding.open(app, owner, await newProject(app, owner)),
    await Forwarding.open(app, await app.account()),
  ]
  const [ofOne, ofOther] = [
    await one.addService({ service_url: 'https://example.org/' }),
    await other.addService({ service_url: 'https://example.org/' }),
  ]
  const [live, gone, foreign] = [await one.submit('Zoe'), await one.submit('Yan'), await other.submit('Ida')]
  await one.deleteSubmission(gone)
  const ask = () =>
    confirmCalls(db, [
      { serviceId: ofOther.id, formId: other.form.formid, submissionId: foreign },
      { serviceId: ofOne.id, formId: one.form.formid, submissionId: gone },
      { serviceId: ofOne.id, formId: one.form.formid, submissionId: foreign },
      { serviceId: ofOne.id, formId: one.form.formid, submissionId: live },
      { serviceId: ofOther.id, formId: other.form.formid, submissionId: foreign },
    ])
  const told = async () => (await ask()).map(({ isLive, maySend }) => [isLive, maySend])
  expect(await told()).toEqual([
    [true, true],
    [false, true],
    [false, true],
    [true, true],
    [true, true],
  ])
  await db.run(sql`update projects set deleted_at = now() where id = ${one.project}`)
  expect((await told()).map(([, maySend]) => maySend)).toEqual([true, false, false, false, true])
})
