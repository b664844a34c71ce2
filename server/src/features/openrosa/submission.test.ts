import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, visitSheet } from '../../../test/support/forms.js'
import { instance, newId, send } from '../../../test/support/submissions.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let form: PublishedForm
beforeAll(async () => {
  ana = await app.account()
  form = await publish(app, ana, visitSheet({ form_id: 'visit', version: '1' }))
})

const rows = () =>
  app.database.db.rows<Record<string, unknown>>(
    sql`select * from submissions where form_id = ${form.formid} order by id`,
  )

describe('POST /submission', () => {
  it('201 with the receipt of the protocol', async () => {
    const id = newId()
    const xml = instance(form, '<name>Ana</name><age>30</age><sex>f</sex>', { id })
    const answer = await send(app, ana, '', xml)
    expect(answer.body).toContain('Successful submission.')
    expect(answer.statusCode).toBe(201)
    const [row] = await rows()
    expect(row).toMatchObject({
      xml,
      uuid: id,
      answers: { name: 'Ana', age: '30', sex: 'f', 'meta/instanceID': `uuid:${id}` },
    })
  })
  it('50 equal posts at once give one row, one 201 and 49 times 202', async () => {
    const xml = instance(form, '<name>Ben</name>')
    const before = (await rows()).length
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(app, ana, '', xml)))
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
    expect(answers.filter(({ statusCode }) => statusCode === 202)).toHaveLength(49)
    expect((await rows()).length).toBe(before + 1)
  })
})
