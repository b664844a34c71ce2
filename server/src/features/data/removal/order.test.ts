// Whoever deletes or restores many takes records, and then their counts, in one order: two who do it at once wait for each other's
// first, and neither for what the other waits for.
import { describe, expect, it } from 'vitest'
import { testApp } from '../../../../test/support/app.js'
import { newForm, put } from '../../../../test/support/data.js'
import { meanwhile } from '../../../../test/support/meanwhile.js'
import { sql } from '../../../platform/db/index.js'

const app = testApp()
const versions = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** Records of as many versions, deleted from the last to the first, so that nothing but their order brings the first before others. */
const removed = async () => {
  const { ana, form } = await newForm(app)
  const ids = (await put(app, form, ...versions.map((version) => ({ version })))) as number[]
  for (const id of [...ids].reverse()) await app.as(ana)('DELETE', `/data/${form.id}/${id}`)
  const all = { body: { instance_ids: ids } }
  return {
    form,
    ids,
    restore: () => app.as(ana)('POST', `/data/${form.id}/restore`, all),
    remove: () => app.as(ana)('DELETE', `/data/${form.id}`, all),
  }
}

describe.each(['restore', 'remove'] as const)('%s', (doing) => {
  const prepared = async () => {
    const place = await removed()
    if (doing === 'remove') {
      for (const id of [...place.ids].reverse())
        await app.deps.db.run(
          sql`update submissions set deleted_at = null where form_id = ${place.form.id} and id = ${id}`,
        )
    }
    return place
  }

  it('while the first record is held by another, the others are free', async () => {
    const { form, ids, ...does } = await prepared()
    let free: { id: number }[] = []
    const answer = await meanwhile(
      app,
      sql`select from submissions where form_id = ${form.id} and id = ${ids[0]} for update`,
      does[doing],
      async (tx) => {
        free = await tx.rows(
          sql`select id from submissions where form_id = ${form.id} order by id for update skip locked`,
        )
      },
    )
    expect([answer.statusCode, free.map(({ id }) => id)]).toEqual([200, ids])
  })

  it('while the count of the first version is held by another, the others are free', async () => {
    const { form, ids: _, ...does } = await prepared()
    let free: { version: string }[] = []
    const answer = await meanwhile(
      app,
      sql`select from form_counts where form_id = ${form.id} and version = 'a' for update`,
      does[doing],
      async (tx) => {
        free = await tx.rows(sql`
          select distinct version from (
            select version from form_counts where form_id = ${form.id} for update skip locked) free order by version`)
      },
    )
    expect([answer.statusCode, free.map(({ version }) => version)]).toEqual([200, versions])
  })
})
