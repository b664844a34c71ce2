import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testApp } from '../../../../test/support/app.js'
import { newForm, put } from '../../../../test/support/data.js'
import type { TestForm } from '../../../../test/support/records.js'
import { sql } from '../../../platform/db/index.js'
import { positionOf, refreshBlocks } from './blocks.queries.js'
import type { TimeWindow } from './conditions.queries.js'

const app = testApp()

const hour = (number: number) => new Date(Date.UTC(2024, 0, 1, number)).toISOString()

interface Live {
  readonly id: number
  readonly at: string
}

const liveOf = (form: TestForm) =>
  app.deps.db.rows<Live>(sql`
    select id, to_json(submitted_at at time zone 'UTC')#>>'{}' || 'Z' as at from submissions
    where form_id = ${form.id} and deleted_at is null order by id`)

/** What is at a position, reading all before it. */
const naive = (live: readonly Live[], { from, to }: TimeWindow, offset: number) => {
  const within = live.filter(({ at }) => {
    const time = Date.parse(at)
    return (from === undefined || time >= Date.parse(from)) && (to === undefined || time < Date.parse(to))
  })
  return { total: within.length, id: within[offset]?.id ?? null }
}

const found = async (form: TestForm, window: TimeWindow, offset: number) => {
  const { db } = app.deps
  const { total, fromId, skip } = await positionOf(db, form.id, window, offset)
  if (fromId === null || skip === null) return { total, id: null }
  const row = await db.maybe<{ id: number }>(sql`
    select id from submissions
    where form_id = ${form.id} and deleted_at is null and id >= ${fromId}
      and submitted_at >= coalesce(${window.from ?? null}::timestamptz, '-infinity')
      and submitted_at < coalesce(${window.to ?? null}::timestamptz, 'infinity')
    order by id offset ${skip} limit 1`)
  return { total, id: row?.id ?? null }
}

const change = async (form: TestForm, ids: readonly number[], step: string, index: number): Promise<void> => {
  const { db } = app.deps
  const id = ids[index % ids.length] ?? 0
  const set = (value: ReturnType<typeof sql>) =>
    db.run(sql`
      update submissions set deleted_at = ${value}, change_no = next_change() where form_id = ${form.id} and id = ${id}`)
  if (step === 'delete') await set(sql`now()`)
  else if (step === 'restore') await set(sql`null`)
  else if (step === 'refresh') await refreshBlocks(db, form.id)
  else if (step === 'remove') {
    await db.run(sql`
      with gone as (delete from submissions where form_id = ${form.id} and id = ${id} returning id, uuid)
      insert into submission_tombstones (form_id, id, uuid, change_no, deleted_at)
      select ${form.id}, id, uuid, next_change(), now() from gone`)
  }
}

describe('positions in a long list', () => {
  it('are those of reading all before them, whatever is added, deleted, restored or removed, summed up or not', async () => {
    const step = fc.tuple(fc.constantFrom('add', 'delete', 'restore', 'remove', 'refresh'), fc.nat({ max: 40 }))
    const bound = fc.option(fc.nat({ max: 30 }).map(hour), { nil: undefined })
    const look = fc.tuple(bound, bound, fc.nat({ max: 30 }))
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 15 }),
        fc.array(look, { minLength: 4, maxLength: 4 }),
        async (steps, looks) => {
          const { form } = await newForm(app)
          const { form: other } = await newForm(app)
          const ids: number[] = []
          const add = async (number: number) => {
            // Ids are shared with another form, and come far apart, so that there are several blocks.
            await put(app, other, {})
            ids.push(...(await put(app, form, { at: hour(number % 30) })))
            await app.deps.db.run(sql`select setval('submission_ids', nextval('submission_ids') + 700)`)
          }
          for (let number = 0; number < 6; number++) await add(number * 7)
          for (const [name, number] of steps) await (name === 'add' ? add(number) : change(form, ids, name, number))
          const live = await liveOf(form)
          for (const [from, to, offset] of looks) {
            const window = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
            expect(await found(form, window, offset)).toEqual(naive(live, window, offset))
          }
        },
      ),
      { numRuns: 20 },
    )
  })

  it('are summed up anew when blocks have become too small for what they hold', async () => {
    const { form } = await newForm(app)
    const { db } = app.deps
    await put(app, form, {})
    await refreshBlocks(db, form.id)
    for (let number = 0; number < 70; number++) {
      await put(app, form, {})
      await db.run(sql`select setval('submission_ids', nextval('submission_ids') + 5000)`)
    }
    await refreshBlocks(db, form.id)
    await refreshBlocks(db, form.id)
    const { blocks } = await db.one<{ blocks: number }>(sql`
      select count(*) as blocks from submission_blocks where form_id = ${form.id}`)
    expect(blocks).toBeLessThan(10)
    expect((await positionOf(db, form.id, {}, 70)).total).toBe(71)
  })
})
