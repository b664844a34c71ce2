import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, visitSheet } from '../../../test/support/forms.js'
import { instance, newId, send } from '../../../test/support/submissions.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let form: PublishedForm

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  form = await publish(app, ana, visitSheet({ form_id: 'visit', version: '1' }))
})

const post = async (id: string) => {
  const { statusCode, headers } = await send(app, ana, '', instance(form, '<name>n</name>', { id }))
  return { statusCode, retryAfter: headers['retry-after'] }
}

describe('an instance id that a long transaction holds', () => {
  it('503 for the submission that has it, 201 for those that came with it; when it is free, 202', async () => {
    const held = newId()
    await app.database.db.transaction(async (tx) => {
      await tx.run(sql`insert into instance_ids (form_id, uuid, submission_id) values (${form.formid}, ${held}, 0)`)
      const [waiting, ...others] = await Promise.all([held, newId(), newId(), newId()].map(post))
      expect(waiting).toEqual({ statusCode: 503, retryAfter: expect.stringMatching(/^\d+$/) })
      expect(others.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201])
    })
    expect((await post(held)).statusCode).toBe(202)
  })
})
