// What all versions of a form ask together is bounded, whichever way a version comes.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import { publish, sheet } from '../../../../test/support/forms.js'
import { multipart } from '../../../../test/support/multipart.js'
import { newProject } from '../../../../test/support/projects.js'
import { putForm } from '../../../../test/support/records.js'
import { budgets } from '../../../budgets.js'

const app = testApp()
let ana: Account
let projectId: number

beforeAll(async () => {
  ana = await app.account()
  projectId = await newProject(app, ana)
})

const numbered = (count: number, row: (number: number) => string): string =>
  Array.from({ length: count }, (_, number) => row(number)).join('\n')

const questions = (count: number, prefix = 'q') => numbered(count, (one) => `text,${prefix}${one},Q`)
const repeats = (count: number, prefix = 'r') =>
  numbered(count, (one) => `begin repeat,${prefix}${one},R\ntext,x,X\nend repeat,,`)

const form = (idString: string, rows: string): string =>
  sheet(`type,name,label\n${rows}\nnote,thanks,Thank you`, { settings: { form_id: idString } })

const send = (method: 'POST' | 'PATCH', path: string, content: string, field = 'xls_file') => {
  const part = field === 'text_xls_form' ? { name: field, content } : { name: field, filename: 'f.csv', content }
  const { body, headers } = multipart([part])
  return app.as(ana)(method, path, { body, headers })
}

const refusal = (what: string, most: number) => ({
  type: 'alert-error',
  text: expect.stringMatching(
    new RegExp(`^The form has more than ${most} ${what}, .* Publish this version as a new form`),
  ),
})

describe('the questions of all versions of a form', () => {
  const most = budgets.forms.questions

  it('201 for budgets.forms.questions of them; 400 for a version that adds one, by every way, 200 for one that adds none', async () => {
    const { formid } = await publish(app, ana, form('full', questions(most)))
    const more = form('full', 'text,one_more,Q')
    for (const answer of [
      await send('PATCH', `/forms/${formid}`, more),
      await send('PATCH', `/forms/${formid}`, more, 'text_xls_form'),
      await send('POST', `/forms/${formid}/plan`, more),
    ]) {
      expect([answer.statusCode, answer.json()]).toEqual([400, refusal('questions', most)])
    }
    expect((await send('PATCH', `/forms/${formid}`, form('full', 'integer,q7,Q'))).statusCode).toBe(200)
  })

  it('400 for a first version that has one more', async () => {
    const answer = await send('POST', `/projects/${projectId}/forms`, form('over', questions(most + 1)))
    expect([answer.statusCode, answer.json()]).toEqual([400, refusal('questions', most)])
  })

  it('two versions at once do not pass them together', async () => {
    const { formid } = await publish(app, ana, form('race', questions(most - 1)))
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((name) => send('PATCH', `/forms/${formid}`, form('race', `text,${name},Q`))),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400, 400])
  })

  it('200 for a form that has had more, as long as a version adds none', async () => {
    const versions = [
      `| survey |\n| | type | name | label |\n${numbered(most + 5, (one) => `| | text | q${one} | Q |`)}`,
    ]
    const { id, idString } = await putForm(app.deps.db, { ownerId: ana.id, projectId, versions })
    expect((await send('PATCH', `/forms/${id}`, form(idString, questions(most)))).statusCode).toBe(200)
    expect((await send('PATCH', `/forms/${id}`, form(idString, 'text,new,Q'))).statusCode).toBe(400)
    expect((await app.as(ana)('GET', `/data/${id}.csv`)).statusCode).toBe(200)
  })
})

describe('the repeats of all versions of a form', () => {
  const most = budgets.forms.repeats

  it('201 for budgets.forms.repeats of them; 400 for one more, in a first version or in a later one', async () => {
    const { formid } = await publish(app, ana, form('repeats', repeats(most)))
    for (const answer of [
      await send('PATCH', `/forms/${formid}`, form('repeats', repeats(1, 'other'))),
      await send('POST', `/projects/${projectId}/forms`, form('more_repeats', repeats(most + 1))),
    ]) {
      expect([answer.statusCode, answer.json()]).toEqual([400, refusal('repeats', most)])
    }
    expect((await send('PATCH', `/forms/${formid}`, form('repeats', repeats(1)))).statusCode).toBe(200)
  })
})
