// Questions that devices do not show have labels too, for those who read the answers.
import { describe, expect, it } from 'vitest'
import { testApp } from '../../../../test/support/app.js'
import { publish, sheet } from '../../../../test/support/forms.js'

const app = testApp()

describe('labels of questions that are not shown', () => {
  it('head the columns of exports and name the fields of charts, also after the title changed', async () => {
    const ana = await app.account()
    const plain = await publish(
      app,
      ana,
      sheet(`type,name,label,calculation
             integer,age,Age,
             calculate,twice,Twice the age,\${age} * 2`),
    )
    const translated = await publish(
      app,
      ana,
      sheet(`type,name,label::English (en),label::French (fr),calculation
             integer,age,Age,Âge,
             calculate,twice,Twice the age,Deux fois,\${age} * 2`),
    )
    for (const { formid } of [plain, translated]) {
      const changed = await app.as(ana)('PATCH', `/forms/${formid}`, { body: { title: `New title ${formid}` } })
      expect(changed.statusCode).toBe(200)
      const sent = await app.as(ana)('POST', '/submissions', {
        body: {
          id: formid === plain.formid ? plain.id_string : translated.id_string,
          submission: { age: '4', twice: '8' },
        },
      })
      expect(sent.statusCode).toBe(201)
    }
    const head = async (pk: number, query: Record<string, string> = {}) =>
      (await app.as(ana)('GET', `/data/${pk}.csv`, { query: { include_labels_only: 'true', ...query } })).body.split(
        '\n',
      )[0]
    expect(await head(plain.formid)).toMatch(/^Age,Twice the age,/)
    expect(await head(translated.formid)).toMatch(/^Age,Twice the age,/)
    expect(await head(translated.formid, { language: 'French (fr)' })).toMatch(/^Âge,Deux fois,/)
    for (const { formid } of [plain, translated]) {
      const chart = await app.as(ana)('GET', `/charts/${formid}?field_name=twice`)
      expect(chart.json()).toMatchObject({ field_label: 'Twice the age' })
    }
  })
})
