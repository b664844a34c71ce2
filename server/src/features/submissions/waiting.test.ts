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

const post = async (id: string, to = form) => {
  const { statusCode, headers } = await send(app, ana, '', instance(to, '<name>n</name>', { id }))
  return { statusCode, retryAfter: headers['retry-after'] }
}

describe('an instance id that a long transaction holds', () => {
  it('is waited for by a submission that nobody stands behind for half a second', async () => {
    const { db } = app.database
    // What was held up a moment ago is not waited for so long.
    const fresh = await publish(app, ana, visitSheet({ form_id: 'fresh', version: '1' }))
    await db.run(sql`create table patience (waits text)`)
    await db.run(sql`
      create function note_patience() returns trigger language plpgsql as $$
        begin insert into patience values (current_setting('lock_timeout')); return new; end $$`)
    await db.run(
      sql`create trigger note_patience before insert on instance_ids for each row execute function note_patience()`,
    )
    try {
      expect((await post(newId(), fresh)).statusCode).toBe(201)
      expect(await db.rows(sql`select waits from patience`)).toEqual([{ waits: '500ms' }])
    } finally {
      await db.run(sql`drop trigger note_patience on instance_ids`)
      await db.run(sql`drop function note_patience`)
      await db.run(sql`drop table patience`)
    }
  })

  it('503 for the submission that has it, 201 for those that came with it; when it is free, 202', async () => {
    const held = newId()
    await app.database.db.transaction(async (tx) => {
      await tx.run(sql`insert into instance_ids (form_id, uuid, submission_id) values (${form.formid}, ${held}, 0)`)
      const [waiting, ...others] = await Promise.all([held, newId(), newId(), newId()].map((id) => post(id)))
      expect(waiting).toEqual({ statusCode: 503, retryAfter: expect.stringMatching(/^\d+$/) })
      expect(others.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201])
    })
    expect((await post(held)).statusCode).toBe(202)
  })

  it('201 for another form meanwhile, while as many forms are held up as there are flights', async () => {
    const forms = await Promise.all(
      ['one', 'two', 'three', 'four'].map((id) => publish(app, ana, visitSheet({ form_id: id, version: '1' }))),
    )
    const held = forms.map((one) => ({ one, ids: Array.from({ length: 20 }, newId) }))
    await app.database.db.transaction(async (tx) => {
      for (const { one, ids } of held) {
        await tx.run(sql`
          insert into instance_ids (form_id, uuid, submission_id)
          select ${one.formid}, uuid, 0 from unnest(${ids}::text[]) as uuid`)
      }
      let refused = 0
      const waiting = held.flatMap(({ one, ids }) =>
        ids.map(async (id) => {
          const { statusCode } = await post(id, one)
          refused += 1
          return statusCode
        }),
      )
      // The first may share a flight with them. From then on they are known to be held up.
      expect((await post(newId())).statusCode).toBe(201)
      for (let count = 0; count < 5; count++) expect((await post(newId())).statusCode).toBe(201)
      expect(refused).toBeLessThan(waiting.length / 2)
      expect(new Set(await Promise.all(waiting))).toEqual(new Set([503]))
    })
    expect(await Promise.all(held.map(({ one, ids }) => post(ids[0] as string, one)))).toMatchObject(
      forms.map(() => ({ statusCode: 202 })),
    )
  })
})
