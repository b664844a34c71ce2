// Definitions of large forms: read in pieces, once for all who wait for them.
import { choicesIn } from '@sheaf/xlsform'
import { describe, expect, it } from 'vitest'
import { testApp } from '../../../../test/support/app.js'
import { publish, sheet } from '../../../../test/support/forms.js'
import { budgets } from '../../../budgets.js'
import { sql } from '../../../platform/db/index.js'
import { FormModels } from './models.js'

const app = testApp()

const search = (questions: number, choices: number): string =>
  sheet(
    [
      'type,name,label,appearance',
      ...Array.from({ length: questions }, (_, at) => `select_one v,q${at},Q${at},"search('f')"`),
    ].join('\n'),
    {
      choices: [
        'list_name,name,label',
        ...Array.from({ length: choices }, (_, at) => `v,v${at},Village number ${at}`),
      ].join('\n'),
    },
  )

const modelLength = async (formId: number): Promise<number> =>
  (
    await app.deps.db.one<{ length: number }>(
      sql`select length(model::text) as length from form_versions where form_id = ${formId}`,
    )
  ).length

describe('models of large forms', () => {
  it('201 keeps a list that many questions repeat once; exports, charts and the tree show it for each', async () => {
    const ana = await app.account()
    const { formid, id_string: id } = await publish(app, ana, search(40, 300))
    expect(await modelLength(formid)).toBeLessThan(
      2 * (await modelLength((await publish(app, ana, search(1, 300))).formid)),
    )
    await app.as(ana)('POST', '/submissions', { body: { id, submission: { q0: 'v7', q39: 'v299' } } })
    const chart = await app.as(ana)('GET', `/charts/${formid}?field_name=q39`)
    expect(chart.json().data).toMatchObject([{ q39: ['Village number 299'], count: 1 }])
    const tree = (await app.as(ana)('GET', `/forms/${formid}/form.json`)).json()
    const asked = tree.children.filter(({ name }: { name: string }) => /^q\d/.test(name))
    expect(asked).toHaveLength(40)
    for (const { choices } of asked) expect(choices).toHaveLength(300)
  })

  it('a model that was stored when every question repeated its list is read as before', async () => {
    const ana = await app.account()
    const { formid } = await publish(app, ana, search(2, 3))
    await app.deps.db.run(sql`
      update form_versions set model = (
        select jsonb_set(model::jsonb #- '{inlineLists}' , '{children}', (
          select jsonb_agg(case when child ? 'inlineList'
            then (child - 'inlineList') || jsonb_build_object('choices', model::jsonb -> 'inlineLists' -> 0) else child end)
          from jsonb_array_elements(model::jsonb -> 'children') child))::json)
      where form_id = ${formid}`)
    const { model, fields } = await new FormModels().get(app.deps.db, formid, 1)
    expect(model.inlineLists).toBeUndefined()
    for (const key of ['q0', 'q1']) expect(fields.byKey.get(key)?.choices).toHaveLength(3)
    const tree = (await app.as(ana)('GET', `/forms/${formid}/form.json`)).json()
    expect(tree.children.at(-2).choices ?? tree.children.at(-1).choices).toHaveLength(3)
  })

  it('is read once for all who ask at once, in pieces, and by each of the ways to ask', async () => {
    const ana = await app.account()
    const { formid } = await publish(app, ana, search(1, 8000))
    expect(await modelLength(formid)).toBeGreaterThan(budgets.forms.pieceCharacters)
    const models = new FormModels()
    const [first, second] = await Promise.all([models.get(app.deps.db, formid, 1), models.get(app.deps.db, formid, 1)])
    expect(first).toBe(second)
    expect((await models.all(app.deps.db, formid))[0]).toBe(first)
    const fresh = new FormModels()
    const [same] = (await fresh.allOf(app.deps.db, [formid])).get(formid) ?? []
    expect(JSON.stringify(same?.model) === JSON.stringify(first.model)).toBe(true)
    expect((await new FormModels().oneOf(app.deps.db, [{ formId: formid, number: 1 }])).get(formid)?.number).toBe(1)
    const question = first.model.children.find(({ name }) => name === 'q0')
    expect(question?.kind === 'question' && choicesIn(first.model)(question)).toHaveLength(8000)
    expect(await models.find(app.deps.db, formid, 2)).toBeUndefined()
  })
})
