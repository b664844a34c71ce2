import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { publish, sheet, upload, visitSheet } from '../../../test/support/forms.js'
import { multipart } from '../../../test/support/multipart.js'
import { newOrganization, newProject, share } from '../../../test/support/projects.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let ben: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
})

const statuses = (answers: readonly { statusCode: number }[]) => answers.map(({ statusCode }) => statusCode)
const pending = async () => (await app.deps.db.rows(sql`select from pending_files`)).length

describe('at once', () => {
  it('20 publications of one id by a newcomer: 20 forms with 20 ids in one project', async () => {
    const newcomer = await app.account()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => upload(app, newcomer, visitSheet({ form_id: 'same' }))),
    )
    expect(statuses(answers)).toEqual(Array(20).fill(201))
    const forms = answers.map((answer) => answer.json())
    expect(new Set(forms.map(({ id_string }) => id_string))).toEqual(
      new Set(['same', ...Array.from({ length: 19 }, (_, at) => `same_${at + 1}`)]),
    )
    expect(new Set(forms.map(({ uuid }) => uuid)).size).toBe(20)
    expect(new Set(forms.map(({ project }) => project)).size).toBe(1)
    for (const { formid, id_string } of forms) {
      expect((await app.as(newcomer)('GET', `/forms/${formid}/form.xml`)).body).toContain(`id="${id_string}"`)
    }
    expect(await pending()).toBe(0)
  })

  it('publications of one id into two projects of one account: all of them', async () => {
    const projects = [await newProject(app, ana), await newProject(app, ana)]
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        upload(app, ana, visitSheet({ form_id: 'two' }), { project: projects[at % 2] as number }),
      ),
    )
    expect(statuses(answers)).toEqual(Array(12).fill(201))
  })

  it('moves in opposite directions, deletions and changes between them: each ends, none in a fault', async () => {
    const [one, two] = [await newProject(app, ana), await newProject(app, ana)]
    const there = await Promise.all([1, 2, 3, 4].map(() => publish(app, ana, visitSheet(), { project: one })))
    const back = await Promise.all([1, 2, 3, 4].map(() => publish(app, ana, visitSheet(), { project: two })))
    const as = app.as(ana)
    const answers = await Promise.all([
      ...there.map(({ formid }) => as('POST', `/projects/${two}/forms`, { body: { formid } })),
      ...back.map(({ formid }) => as('POST', `/projects/${one}/forms`, { body: { formid } })),
      ...there.map(({ formid }) => as('PATCH', `/forms/${formid}`, { body: { title: 'Moved' } })),
      ...back.map(({ formid }) => as('DELETE', `/forms/${formid}`)),
    ])
    for (const status of statuses(answers)) expect([200, 201, 204, 404]).toContain(status)
    for (const { formid } of there) expect((await as('GET', `/forms/${formid}`)).json().title).toBe('Moved')
    for (const { formid } of back) expect((await as('GET', `/forms/${formid}`)).statusCode).toBe(404)
  })

  it('changes of the title and replacements of the definition: the XForm and the form say the same in the end', async () => {
    const { formid } = await publish(app, ana, visitSheet({ form_id: 'words', version: '1' }))
    const replace = (title: string) => {
      const text = visitSheet({ form_id: 'words', form_title: title, version: '1' })
      const { body, headers } = multipart([{ name: 'xls_file', filename: 'x.csv', content: text }])
      return app.as(ana)('PATCH', `/forms/${formid}`, { body, headers })
    }
    const rename = (title: string) => app.as(ana)('PATCH', `/forms/${formid}`, { body: { title } })
    const answers = await Promise.all(
      [1, 2, 3, 4].flatMap((at) => [replace(`replaced ${at}`), rename(`renamed ${at}`)]),
    )
    expect(statuses(answers)).toEqual(Array(8).fill(200))
    const { title, hash } = (await app.as(ana)('GET', `/forms/${formid}`)).json()
    const { body } = await app.as(ana)('GET', `/forms/${formid}/form.xml`)
    expect(body).toContain(`<h:title>${title}</h:title>`)
    const row = await app.deps.db.one(sql`
      select versions.hash, versions.title, 'md5:' || md5(versions.xml) as real
      from forms join form_versions versions on versions.form_id = forms.id and versions.number = forms.version_number
      where forms.id = ${formid}`)
    expect(row).toEqual({ hash, title, real: hash })
  })

  it('whoever loses their role in the same moment publishes before that or not at all', async () => {
    const org = await newOrganization(app, ana)
    await app.as(ana)('POST', `/orgs/${org}/members`, { body: { username: 'ben', role: 'manager' } })
    const project = await newProject(app, ana, { owner: org })
    await share(app, ana, project, 'ben', 'manager')
    const [published] = await Promise.all([
      upload(app, ben, visitSheet(), { project }),
      app.as(ana)('DELETE', `/orgs/${org}/members`, { body: { username: 'ben' } }),
    ])
    expect([201, 403, 404]).toContain(published.statusCode)
    expect((await app.as(ben)('GET', `/projects/${project}/forms`)).statusCode).toBe(404)
    expect(await pending()).toBe(0)
  })

  it('a form of 5,000 questions and everything else: the others are answered while it is being published', async () => {
    const rows = Array.from({ length: 5000 }, (_, at) => `text,q${at},Question ${at}`)
    let isPublished = false
    const publishing = upload(app, ana, sheet(`type,name,label\n${rows.join('\n')}`)).then((response) => {
      isPublished = true
      return response
    })
    const answered: boolean[] = []
    for (let at = 0; at < 5; at++) {
      await app.as(ben)('GET', '/user')
      answered.push(isPublished)
    }
    expect(answered).toEqual(Array(5).fill(false))
    expect((await publishing).statusCode).toBe(201)
  })
})
