import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { testApp } from '../../../../test/support/app.js'
import { newForm, put } from '../../../../test/support/data.js'
import type { TestForm } from '../../../../test/support/records.js'
import { budgets } from '../../../budgets.js'
import { sql } from '../../../platform/db/index.js'
import { refreshBlocks } from './blocks.queries.js'
import { readList } from './list-request.js'
import { allMatches, knownMatches, totalWithin } from './matches.js'

const app = testApp()

const requestOf = async (form: TestForm, query: string) => {
  const seen = { form: { ...form, access: { may: () => true } }, sight: 'all', callerId: 1 } as never
  return readList(app.deps.db, seen, { query })
}

const liveOf = (form: TestForm, name: string) =>
  app.deps.db.rows<{ id: number }>(sql`
    select id from submissions where form_id = ${form.id} and deleted_at is null and answers ->> 'name' = ${name} order by id`)

const change = async (form: TestForm, id: number, step: string): Promise<void> => {
  const { db } = app.deps
  const set = (change: ReturnType<typeof sql>) =>
    db.run(sql`update submissions set ${change}, change_no = next_change() where form_id = ${form.id} and id = ${id}`)
  if (step === 'delete') await set(sql`deleted_at = now()`)
  else if (step === 'restore') await set(sql`deleted_at = null`)
  else if (step === 'rename') await set(sql`answers = jsonb_build_object('name', 'b')`)
  else {
    await db.run(sql`
      with gone as (delete from submissions where form_id = ${form.id} and id = ${id} returning id, uuid)
      insert into submission_tombstones (form_id, id, uuid, change_no, deleted_at)
      select ${form.id}, id, uuid, next_change(), now() from gone`)
  }
}

/** Ids come far apart, so that there are several ranges. */
const addFar = async (form: TestForm, name: string): Promise<number> => {
  const [id = 0] = await put(app, form, { answers: { name } })
  await app.deps.db.run(sql`select setval('submission_ids', nextval('submission_ids') + 700)`)
  return id
}

afterEach(() => void vi.restoreAllMocks())

describe('how many records match', () => {
  it('is what looking at all of them gives, and so is where each lies, whatever changes in between', async () => {
    const step = fc.tuple(
      fc.constantFrom('add', 'other', 'delete', 'restore', 'rename', 'remove', 'look', 'look in part'),
      fc.nat({ max: 40 }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        const { form } = await newForm(app)
        const ids: number[] = []
        ids.push(await addFar(form, 'a'))
        // Of one record the ranges are narrow: the next ones lie in others.
        await refreshBlocks(app.deps.db, form.id)
        for (let number = 0; number < 6; number++) ids.push(await addFar(form, number % 3 === 0 ? 'b' : 'a'))
        const request = await requestOf(form, '{"name":"a"}')
        for (const [name, number] of [...steps, ['look', 0] as const]) {
          if (name === 'add' || name === 'other') ids.push(await addFar(form, name === 'add' ? 'a' : 'b'))
          else if (name === 'look in part')
            await totalWithin(app.deps.db, request, { milliseconds: 0, recordsPerRun: 2 })
          else if (name === 'look') await allMatches(app.deps.db, request)
          else await change(form, ids[number % ids.length] ?? 0, name)
        }
        const live = await liveOf(form, 'a')
        for (const matches of [await allMatches(app.deps.db, request), await knownMatches(app.deps.db, request)]) {
          expect(matches?.total).toBe(live.length)
          for (const [offset, { id }] of live.entries()) {
            const { fromId = 0, skip = 0, ranges = [] } = matches?.spanOf(offset, 2) ?? {}
            expect(live.filter((one) => one.id >= fromId)[skip]?.id).toBe(id)
            const within = live.filter((one) => ranges.some(({ from, to }) => one.id >= from && one.id < to))
            expect(within.slice(skip, skip + 2)).toEqual(live.slice(offset, offset + 2))
          }
          expect(matches?.spanOf(live.length, 2)).toBeUndefined()
        }
        expect(await totalWithin(app.deps.db, request)).toEqual({ count: live.length, isExact: true })
      }),
      { numRuns: 15 },
    )
  })

  it('is an estimate after budgets.counts.milliseconds, counted further when asked again, and exact in the end', async () => {
    const { form } = await newForm(app)
    for (let number = 0; number < 12; number++) {
      await addFar(form, number % 2 === 0 ? 'a' : 'b')
      if (number === 0) await refreshBlocks(app.deps.db, form.id)
    }
    const request = await requestOf(form, '{"name":"a"}')
    const pace = { milliseconds: 0, recordsPerRun: 4 }
    const first = await totalWithin(app.deps.db, request, pace)
    expect([first.isExact, Math.abs(first.count - 6) <= 2]).toEqual([false, true])
    expect(await knownMatches(app.deps.db, request)).toBeUndefined()
    await addFar(form, 'a')
    const totals = []
    while (totals.at(-1)?.isExact !== true) totals.push(await totalWithin(app.deps.db, request, pace))
    expect([totals.length > 1, totals.at(-1)]).toEqual([true, { count: 7, isExact: true }])
    expect((await knownMatches(app.deps.db, request))?.total).toBe(7)
    expect(budgets.counts.milliseconds).toBeLessThanOrEqual(1000)
  })

  it('counted by several at once, it is the same number', async () => {
    const { form } = await newForm(app)
    for (let number = 0; number < 12; number++) {
      await addFar(form, 'a')
      if (number === 0) await refreshBlocks(app.deps.db, form.id)
    }
    const request = await requestOf(form, '{"name":"a"}')
    const pace = { milliseconds: 60_000, recordsPerRun: 3 }
    const all = await Promise.all(Array.from({ length: 5 }, () => totalWithin(app.deps.db, request, pace)))
    expect(all).toEqual(Array(5).fill({ count: 12, isExact: true }))
  })

  it('is counted anew after more changes than are counted along', async () => {
    const { form } = await newForm(app)
    await addFar(form, 'a')
    const request = await requestOf(form, '{"name":"a"}')
    expect((await allMatches(app.deps.db, request)).total).toBe(1)
    await app.deps.db.run(sql`
      insert into submissions (form_id, id, uuid, xml, answers, version, model_number, root_name, status, submitted_at,
        modified_at, change_no, media_total, media_count, attachments)
      select ${form.id}, nextval('submission_ids'), 'm' || n, '', '{"name":"a"}', 'v1', 1, 'data', '', now(), now(),
        nextval('change_numbers'), 0, 0, '[]' from generate_series(1, 3000) n`)
    expect(await knownMatches(app.deps.db, request)).toBeUndefined()
    expect((await allMatches(app.deps.db, request)).total).toBe(3001)
  })

  it('is forgotten after budgets.counts.keptMs, and when others need its room: budgets.counts.ranges', async () => {
    const { form } = await newForm(app)
    await addFar(form, 'a')
    const request = await requestOf(form, '{"name":"a"}')
    await allMatches(app.deps.db, request)
    expect(await knownMatches(app.deps.db, request)).toBeDefined()
    const now = performance.now()
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now + budgets.counts.keptMs + 1)
    expect(await knownMatches(app.deps.db, request)).toBeUndefined()
    clock.mockRestore()
    await allMatches(app.deps.db, request)
    for (let other = 0; other <= budgets.counts.ranges / 200; other++) {
      await allMatches(app.deps.db, await requestOf(form, `{"name":"n${other}"}`))
    }
    expect(await knownMatches(app.deps.db, request)).toBeUndefined()
  })
})
