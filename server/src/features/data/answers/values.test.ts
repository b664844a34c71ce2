// Texts are compared by their beginning, so that an index can hold it: the answer must be that of the whole texts.
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { testApp } from '../../../../test/support/app.js'
import { newForm, put } from '../../../../test/support/data.js'
import type { TestForm } from '../../../../test/support/records.js'
import { sql } from '../../../platform/db/index.js'
import { compiled } from '../selection/conditions.queries.js'
import { comparedCharacters, momentValue } from './index.js'

const app = testApp()
let form: TestForm
let answers: readonly { id: number; text: string }[]

/** They differ, or end, at the very place to which texts are compared; some characters take four bytes and two units of UTF-16. */
const near = fc
  .tuple(
    fc.constantFrom('a', 'é', '😀'),
    fc.integer({ min: -2, max: 2 }),
    fc.string({ unit: fc.constantFrom('', 'a', 'b', 'é', '😀', '\u0001', '~'), maxLength: 4 }),
  )
  .map(([unit, more, end]) => unit.repeat(comparedCharacters + more) + end)
const text = fc.oneof(near, fc.constantFrom('a', 'b', 'a'.repeat(250), '😀'.repeat(249), '😀'.repeat(250)))

beforeAll(async () => {
  form = (await newForm(app)).form
  const texts = fc.sample(text, { numRuns: 60, seed: 22 })
  const ids = await put(app, form, ...texts.map((name) => ({ answers: { name } })))
  answers = texts.map((one, index) => ({ id: ids[index] ?? 0, text: one }))
})

const holds = {
  '=': (place: number) => place === 0,
  '<': (place: number) => place < 0,
  '<=': (place: number) => place <= 0,
  '>': (place: number) => place > 0,
  '>=': (place: number) => place >= 0,
} as const
type Comparison = keyof typeof holds

const found = async (comparison: Comparison, word: string): Promise<number[]> => {
  const condition = compiled(
    {
      kind: 'compare',
      target: { kind: 'answer', key: 'name', places: [{ key: 'name', repeats: [] }], type: 'text' },
      comparison,
      operand: { type: 'text', text: word },
    },
    form as never,
  )
  const rows = await app.deps.db.rows<{ id: number }>(sql`
    select id from submissions where form_id = ${form.id} and ${condition} order by id`)
  return rows.map(({ id }) => id)
}

describe('an answer', () => {
  it('compares by its beginning as the whole of it does, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom(...(Object.keys(holds) as Comparison[])), async (word, comparison) => {
        const expected = answers.filter((one) =>
          holds[comparison](Buffer.compare(Buffer.from(one.text), Buffer.from(word))),
        )
        expect(await found(comparison, word)).toEqual(expected.map(({ id }) => id))
      }),
      { numRuns: 200 },
    )
  })
})

/** What PostgreSQL itself makes of it, with Z where there is no zone; null where it refuses. */
const converted = sql`
  create function pg_temp.converted(answer text) returns timestamptz language plpgsql as $$
  begin
    return case when substr(answer, 12) ~ '[Z+-]' then answer
      when length(answer) = 10 then answer || 'T00:00Z' else answer || 'Z' end::timestamptz;
  exception when others then return null; end $$`

describe('a moment', () => {
  it('is what PostgreSQL takes for one, of whatever has the shape', async () => {
    const digits = (most: number) => fc.integer({ min: 0, max: most }).map((number) => String(number).padStart(2, '0'))
    const day = fc
      .tuple(fc.constantFrom('0000', '0001', '1900', '2000', '2023', '2024', '9999'), digits(13), digits(32))
      .map((parts) => parts.join('-'))
    const seconds = fc.oneof(fc.constant(''), fc.constantFrom(':00', ':59', ':60', ':61', ':59.999', ':00.0', ':07.25'))
    const zone = fc.constantFrom('', 'Z', '+00', '-15', '+16', '+15:59', '+15:60', '-0330', '+99:99')
    const moment = fc
      .tuple(day, fc.constantFrom('T', ' '), digits(25), digits(61), seconds, zone)
      .map(([date, between, hour, minute, second, offset]) => `${date}${between}${hour}:${minute}${second}${offset}`)
    const samples = fc.sample(fc.oneof(day, moment), { numRuns: 20_000, seed: 22 })
    const differing = await app.deps.db.transaction(async (tx) => {
      await tx.run(converted)
      return tx.rows(sql`
        select answer, ${momentValue(sql`answer`)} as ours, pg_temp.converted(answer) as theirs
        from unnest(${samples}::text[]) answer
        where ${momentValue(sql`answer`)} is distinct from pg_temp.converted(answer)`)
    })
    expect(differing).toEqual([])
  })

  it('is found by several processes at once: nothing in it begins a subtransaction', async () => {
    const { source } = await app.deps.db.one<{ source: string }>(sql`
      select prosrc as source from pg_proc where proname = 'moment_of' and proparallel = 's' and provolatile = 'i'`)
    expect(source).not.toMatch(/\bexception\b/)
  })
})
