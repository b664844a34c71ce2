// Several people, one draft: whoever names what they looked at is told when somebody else was faster.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type DraftBody, newDraft, sendForm } from '../../../test/support/drafts.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { formLock, meanwhile } from '../../../test/support/meanwhile.js'
import { multipart } from '../../../test/support/multipart.js'
import { newProject } from '../../../test/support/projects.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let ben: Account
let eve: Account
let form: PublishedForm
let draft: DraftBody

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
  eve = await app.account({ username: 'eve' })
})

/** A form that asks for a name, and for one thing more. */
const asking = (more: string) =>
  sheet(`type,name,label\ntext,name,Name\ntext,${more},More`, { settings: { form_id: form.id_string } })

beforeEach(async () => {
  const project = await newProject(app, ana)
  const first = sheet('type,name,label\ntext,name,Name', { settings: { form_id: `visit${project}`, version: '1' } })
  form = await publish(app, ana, first, { project })
  await app.as(ana)('POST', `/forms/${form.formid}/share`, { body: { username: 'ben', role: 'manager' } })
  draft = await newDraft(app, ana, form.formid, asking('first'))
})

const at = (path = '') => `/forms/${form.formid}/draft${path}`
const put = (by: Account, more: string, revision?: number) =>
  sendForm(app, by, 'PUT', at(revision === undefined ? '' : `?revision=${revision}`), asking(more))
const shown = async (): Promise<DraftBody> => (await app.as(ana)('GET', at())).json()
const xform = async (): Promise<string> => (await app.as(ana)('GET', at('/form.xml'))).body
const publishIt = (body: object) => app.as(ana)('POST', at('/publish'), { body })

describe('a draft with a revision', () => {
  it('200 for whoever names the one that is there; it is another one then, with who saved it and when', async () => {
    expect(draft).toMatchObject({ based_on: '1', saved_by: 'ana', created_by: 'ana' })
    app.wait(60)
    const saved = (await put(ben, 'second', draft.revision)).json()
    expect(saved.revision).toBeGreaterThan(draft.revision)
    expect(saved).toMatchObject({ based_on: '1', saved_by: 'ben', created_by: 'ana' })
    expect(Date.parse(saved.saved_at)).toBeGreaterThan(Date.parse(saved.created_at))
  })

  it('409 for whoever saves, publishes or deletes what somebody else has saved meanwhile: who, when, and nothing is changed', async () => {
    const saved = (await put(ben, 'second', draft.revision)).json()
    const told = { saved_by: 'ben', saved_at: saved.saved_at, revision: saved.revision }
    const answers = [
      await put(ana, 'third', draft.revision),
      await publishIt({ revision: draft.revision }),
      await app.as(ana)('DELETE', at(`?revision=${draft.revision}`)),
    ]
    for (const answer of answers) {
      expect([answer.statusCode, answer.json()]).toEqual([409, { detail: expect.stringContaining('ben'), ...told }])
    }
    expect(await shown()).toEqual(saved)
    expect(await xform()).toContain('second')
    expect((await publishIt({ revision: saved.revision })).statusCode).toBe(200)
  })

  it('200 without one, as before: the last one wins', async () => {
    await put(ben, 'second')
    expect((await put(ana, 'third')).statusCode).toBe(200)
    expect(await xform()).toContain('third')
  })

  it('409 where another draft has taken the place of one that was thrown away, and where there is none; 404 for whoever names none', async () => {
    await app.as(ana)('DELETE', at())
    const { revision } = draft
    const named = [
      await put(ana, 'second', revision),
      await publishIt({ revision }),
      await app.as(ana)('DELETE', at(`?revision=${revision}`)),
    ]
    expect(named.map(({ statusCode }) => statusCode)).toEqual([409, 409, 409])
    const plain = [await put(ana, 'second'), await publishIt({}), await app.as(ana)('DELETE', at())]
    expect(plain.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404])
    await newDraft(app, ben, form.formid, asking('other'))
    expect((await put(ana, 'second', draft.revision)).json()).toMatchObject({ saved_by: 'ben' })
  })

  it('of eight who save the same revision at once one does, and the others are told', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, who) => put(who % 2 === 0 ? ana : ben, `q${who}`, draft.revision)),
    )
    const codes = answers.map(({ statusCode }) => statusCode)
    expect(codes.toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 409)])
    const winner = codes.indexOf(200)
    const text = await xform()
    expect([0, 1, 2, 3, 4, 5, 6, 7].filter((who) => text.includes(`/q${who}`))).toEqual([winner])
    for (const answer of answers) {
      if (answer.statusCode === 409) expect(answer.json()).toHaveProperty('detail')
    }
  })

  it('409 for what is saved while it is saved by somebody else, also without a revision', async () => {
    const saved = sql`
      update form_drafts set revision = default, saved_by = (select id from users where username = 'ben')
      where form_id = ${form.formid}`
    const ask = () => put(ana, 'second')
    const answer = await meanwhile(app, formLock(form.formid), ask, (tx) => tx.run(saved))
    expect([answer.statusCode, answer.json().saved_by]).toEqual([409, 'ben'])
    expect(await xform()).toContain('first')
  })

  it('400 for a revision that is none', async () => {
    for (const odd of ['x', '0', '-1', '1.5', '99999999999999999999']) {
      expect([odd, (await sendForm(app, ana, 'PUT', at(`?revision=${odd}`), asking('a'))).statusCode]).toEqual([
        odd,
        400,
      ])
    }
  })

  it('409 for a new draft where there is one, with whose it is', async () => {
    const answer = await sendForm(app, ben, 'POST', at(), asking('second'))
    expect([answer.statusCode, answer.json()]).toMatchObject([409, { saved_by: 'ana', revision: draft.revision }])
  })
})

describe('a draft that is based on a version', () => {
  const moveOn = () =>
    sendForm(app, ben, 'PUT', `/forms/${form.formid}`, asking('published')).then(async (answer) => {
      expect(answer.statusCode).toBe(200)
      return (await app.as(ana)('GET', `/forms/${form.formid}`)).json().version as string
    })

  it('201 while the form has that version; 409 when it has moved on: to which, by whom', async () => {
    await app.as(ana)('DELETE', at())
    const make = () => sendForm(app, ana, 'POST', at('?based_on=1'), asking('second'))
    expect((await make()).json()).toMatchObject({ based_on: '1' })
    await app.as(ana)('DELETE', at())
    const version = await moveOn()
    const answer = await make()
    expect([answer.statusCode, answer.json()]).toMatchObject([409, { version, saved_by: 'ben' }])
    expect(answer.json()).not.toHaveProperty('revision')
    expect((await app.as(ana)('GET', at())).statusCode).toBe(404)
  })

  it('409 for publishing it when the form has moved on; it stays, and is published by whoever names the version', async () => {
    const version = await moveOn()
    const body = { revision: draft.revision, based_on: draft.based_on }
    expect((await publishIt(body)).json()).toMatchObject({ version, saved_by: 'ben' })
    expect((await shown()).revision).toBe(draft.revision)
    expect((await publishIt({ ...body, based_on: version })).statusCode).toBe(200)
  })

  it('of a form that was never published it is based on none', async () => {
    const project = await newProject(app, ana)
    const text = sheet('type,name,label\ntext,name,Name', { settings: { form_id: `new${project}` } })
    const made = (await sendForm(app, ana, 'POST', `/projects/${project}/drafts`, text)).json()
    expect(made.based_on).toBeNull()
    const again = await sendForm(app, ana, 'PUT', `/forms/${made.form}/draft?revision=${made.revision}`, text)
    expect([again.statusCode, again.json().based_on]).toEqual([200, null])
    const body = { revision: again.json().revision }
    expect((await app.as(ana)('POST', `/forms/${made.form}/draft/publish`, { body })).statusCode).toBe(200)
  })
})

describe('the files of a draft', () => {
  it('200 with what was uploaded, byte for byte, and its XForm, of the revision that is named', async () => {
    const saved = (await put(ana, 'second', draft.revision)).json()
    const file = await app.as(ana)('GET', new URL(saved.spreadsheet).pathname.replace('/api/v1', ''))
    expect([file.statusCode, file.body, file.headers['x-draft-revision']]).toEqual([
      200,
      asking('second'),
      String(saved.revision),
    ])
    expect(file.headers['content-disposition']).toContain(`${form.id_string}.csv`)
    expect(await xform()).toContain('second')
    expect((await app.as(ana)('GET', `/forms/${form.formid}/form.xml`)).body).not.toContain('second')
  })

  it('404 for the spreadsheet of a draft that is an XForm', async () => {
    const xml = await xform()
    const { body, headers } = multipart([{ name: 'xml_file', filename: 'visit.xml', type: 'text/xml', content: xml }])
    expect((await app.as(ana)('PUT', at(), { body, headers })).statusCode).toBe(200)
    expect((await shown()).spreadsheet).toBeNull()
    expect((await app.as(ana)('GET', at('/spreadsheet'))).statusCode).toBe(404)
    expect((await app.as(ana)('GET', at('/form.xml'))).statusCode).toBe(200)
  })

  it('404 for a stranger exactly as for a missing form', async () => {
    for (const path of ['/spreadsheet', '/form.xml', '/data', '']) {
      const hidden = await app.as(eve)('GET', at(path))
      const missing = await app.as(eve)('GET', `/forms/2147483647/draft${path}`)
      expect([path, hidden.statusCode, hidden.body]).toEqual([path, 404, missing.body])
    }
    const save = await sendForm(app, eve, 'PUT', at(`?revision=${draft.revision}`), asking('mine'))
    expect(save.statusCode).toBe(404)
  })
})
