import { beforeEach, describe, expect, it } from 'vitest'
import { testApp } from '../../../../test/support/app.js'
import { newForm } from '../../../../test/support/data.js'
import { indexesOf, makeLarge } from '../../../../test/support/indexes.js'
import type { TestForm } from '../../../../test/support/records.js'
import { budgets } from '../../../budgets.js'
import type { TypedCondition } from '../../../formats/query/index.js'
import { sql } from '../../../platform/db/index.js'
import { flushAsked, noteAsked } from './index.js'

const app = testApp()
let form: TestForm

beforeEach(async () => {
  form = (await newForm(app)).form
  await makeLarge(app, form)
})

const equality = (key: string): TypedCondition => ({
  kind: 'compare',
  target: { kind: 'answer', key, places: [{ key, repeats: [] }], type: 'text' },
  comparison: '=',
  operand: { type: 'text', text: 'a' },
})

const ask = (formId: number, ...keys: string[]) => {
  for (const key of keys) noteAsked(app.deps.db, formId, { condition: equality(key), sort: [] })
}
const flush = () => flushAsked(app.deps.db)
const numbered = (count: number) => Array.from({ length: count }, (_, number) => `q${number}`)

describe('questions that are asked', () => {
  it('are counted in memory, and added up when they are written down', async () => {
    ask(form.id, 'name', 'name')
    expect(await indexesOf(app, form)).toEqual([])
    await flush()
    ask(form.id, 'name')
    await flush()
    expect(await app.deps.db.rows(sql`select filtered from answer_indexes where form_id = ${form.id}`)).toEqual([
      { filtered: 3 },
    ])
  })

  it('are counted once for a list, however often it names them', async () => {
    noteAsked(app.deps.db, form.id, {
      condition: { kind: 'or', conditions: [equality('name'), equality('name')] },
      sort: [],
    })
    await flush()
    expect(await app.deps.db.rows(sql`select filtered from answer_indexes where form_id = ${form.id}`)).toEqual([
      { filtered: 1 },
    ])
  })

  it('are budgets.indexes.questions of a form at most; those that are known go on being counted', async () => {
    ask(form.id, ...numbered(budgets.indexes.questions))
    await flush()
    ask(form.id, 'q0', 'another')
    await flush()
    const known = await app.deps.db.rows<{ key: string; filtered: number }>(sql`
      select key, filtered from answer_indexes where form_id = ${form.id} and (filtered > 1 or key = 'another')`)
    expect(known).toEqual([{ key: 'q0', filtered: 2 }])
  })

  it('are budgets.indexes.remembered in memory at most, and never longer than budgets.indexes.keyCharacters', async () => {
    ask(form.id, 'x'.repeat(budgets.indexes.keyCharacters + 1))
    // Of forms that are not there: nothing of them is written.
    for (let number = 0; number < budgets.indexes.remembered; number++) ask(2_000_000_000 + number, 'name')
    ask(form.id, 'name')
    await flush()
    expect(await indexesOf(app, form)).toEqual([])
    ask(form.id, 'name')
    await flush()
    expect(await indexesOf(app, form)).toHaveLength(1)
  })
})
