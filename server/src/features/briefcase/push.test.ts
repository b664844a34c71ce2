import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { textsIn } from '../../../test/support/briefcase.js'
import { publish, sheet } from '../../../test/support/forms.js'
import { multipart, type Part } from '../../../test/support/multipart.js'
import { shareForm } from '../../../test/support/notes.js'
import { newOrganization, newProject } from '../../../test/support/projects.js'
import { budgets } from '../../budgets.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  await app.as(ana)('PATCH', '/profiles/ana', { body: { require_auth: true } })
})

const xform = (id: string, version: string, question = 'name') =>
  `<?xml version="1.0"?><h:html xmlns="http://www.w3.org/2002/xforms" xmlns:h="http://www.w3.org/1999/xhtml" xmlns:jr="http://openrosa.org/javarosa"><h:head><h:title>Visit ${id}</h:title><model><instance><data id="${id}" version="${version}"><${question}/><meta><instanceID/></meta></data></instance><bind nodeset="/data/${question}" type="string"/><bind nodeset="/data/meta/instanceID" type="string" readonly="true()" calculate="concat('uuid:', uuid())"/></model></h:head><h:body><input ref="/data/${question}"><label>Name</label></input></h:body></h:html>`

/** As Briefcase names the parts. */
const parts = (xml: string, media: readonly { name: string; content: string | Buffer }[] = []): Part[] => [
  { name: 'form_def_file', filename: 'form.xml', type: 'application/xml', content: xml },
  ...media.map(({ name, content }) => ({ name, filename: name, type: 'application/octet-stream', content })),
]

const push = (as: Account | null, base: string, given: Part[]) => {
  const { body, headers } = multipart(given)
  const authorization = as === null ? {} : { authorization: `Token ${as.apiToken}` }
  return app.page('POST', `${base}/formUpload`, { body, headers: { ...headers, ...authorization } })
}

const formsOf = async (as: Account, id: string) =>
  ((await app.as(as)('GET', '/forms')).json() as { formid: number; id_string: string; version: string }[]).filter(
    ({ id_string }) => id_string.startsWith(id),
  )
const versionsOf = async (formId: number) =>
  ((await app.as(ana)('GET', `/forms/${formId}/versions`)).json() as { version: string }[]).map(
    ({ version }) => version,
  )
const mediaOf = async (formId: number) =>
  (
    (await app.as(ana)('GET', `/metadata?xform=${formId}`)).json() as {
      data_type: string
      data_value: string
      file_hash: string
    }[]
  )
    .filter(({ data_type }) => data_type === 'media')
    .map(({ data_value, file_hash }) => [data_value, file_hash])

/** As devices get them. */
const filesOf = async (id: string) => {
  const headers = { authorization: `Token ${ana.apiToken}` }
  const [form] = await formsOf(ana, id)
  const manifest = (await app.page('GET', `/ana/xformsManifest/${form?.formid}`, { headers })).body
  const names = textsIn(manifest, 'filename')
  return Promise.all(
    textsIn(manifest, 'downloadUrl').map(async (address, at) => {
      const answer = await app.page('GET', new URL(address).pathname, { headers })
      return [names[at], answer.statusCode, answer.body]
    }),
  )
}

const pending = async () => (await app.deps.db.rows(sql`select from pending_files`)).length

describe('HEAD …/upload', () => {
  it('204 with the address to push to; 401 with a challenge for whoever has not signed in; 404 where nobody is', async () => {
    const headers = { authorization: `Token ${ana.apiToken}` }
    const answer = await app.page('HEAD', '/ana/upload', { headers })
    expect([answer.statusCode, answer.headers.location, answer.headers['x-openrosa-version']]).toEqual([
      204,
      expect.stringMatching(/^http:.*\/ana\/formUpload$/),
      '1.0',
    ])
    const anonymous = await app.page('HEAD', '/ana/upload')
    expect([anonymous.statusCode, anonymous.headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining('Basic'),
    ])
    expect((await app.page('HEAD', '/nobody-at-all/upload', { headers })).statusCode).toBe(404)
  })
})

describe('POST …/formUpload', () => {
  it('201 with the form and its files; pushed again it is what it was; another version is one', async () => {
    const media = [{ name: 'people.csv', content: 'name\nAna\n' }]
    const first = await push(ana, '/ana', parts(xform('pushed', '1'), media))
    expect([first.statusCode, textsIn(first.body, 'message nature=""').length]).toEqual([201, 0])
    expect(first.body).toContain('The form is published.')
    const [form] = await formsOf(ana, 'pushed')
    expect([form?.version, await mediaOf(form?.formid ?? 0)]).toEqual([
      '1',
      [['people.csv', expect.stringMatching(/^md5:/)]],
    ])
    const again = await push(ana, '/ana', parts(xform('pushed', '1'), media))
    expect([again.statusCode, again.body]).toEqual([201, expect.stringContaining('The form is there already.')])
    const before = await mediaOf(form?.formid ?? 0)
    const next = await push(
      ana,
      '/ana',
      parts(xform('pushed', '2', 'other'), [{ name: 'people.csv', content: 'name\nBen\n' }]),
    )
    expect([next.statusCode, next.body]).toEqual([201, expect.stringContaining('The form has a new version.')])
    expect(await formsOf(ana, 'pushed')).toHaveLength(1)
    expect(await versionsOf(form?.formid ?? 0)).toEqual(['1', '2'])
    const after = await mediaOf(form?.formid ?? 0)
    expect([after.length, after[0]?.[1] === before[0]?.[1]]).toEqual([1, false])
  })

  it('201 with an older version that is known, and 409 for another definition of it', async () => {
    for (const version of ['1', '2']) await push(ana, '/ana', parts(xform('twice', version)))
    expect((await push(ana, '/ana', parts(xform('twice', '1')))).statusCode).toBe(201)
    const answer = await push(ana, '/ana', parts(xform('twice', '1', 'another')))
    expect([answer.statusCode, answer.body]).toEqual([409, expect.stringContaining('another definition')])
    const [form] = await formsOf(ana, 'twice')
    expect(await versionsOf(form?.formid ?? 0)).toEqual(['1', '2'])
  })

  it('201 and one form, when the same is pushed several times at once', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => push(ana, '/ana', parts(xform('atonce', '1')))))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201])
    expect((await formsOf(ana, 'atonce')).map(({ id_string }) => id_string)).toEqual(['atonce'])
    const others = ['a', 'b', 'c'].map((question) => push(ana, '/ana', parts(xform('atonce', '2', question))))
    expect((await Promise.all(others)).map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 409, 409])
    const next = await Promise.all(Array.from({ length: 4 }, () => push(ana, '/ana', parts(xform('atonce', '3')))))
    expect(next.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201])
    const [form] = await formsOf(ana, 'atonce')
    expect(await versionsOf(form?.formid ?? 0)).toEqual(['1', '2', '3'])
  })

  it('201 below the bare address, a project, an organization and a form', async () => {
    const project = await newProject(app, ana)
    const organization = await newOrganization(app, ana)
    expect((await push(ana, '', parts(xform('bare', '1')))).statusCode).toBe(201)
    expect((await push(ana, `/projects/${project}`, parts(xform('inproject', '1')))).statusCode).toBe(201)
    expect((await push(ana, `/${organization}`, parts(xform('inorg', '1')))).statusCode).toBe(201)
    const [form] = await formsOf(ana, 'inproject')
    expect((await push(ana, `/forms/${form?.formid}`, parts(xform('inproject', '2')))).statusCode).toBe(201)
    expect((await push(ana, `/forms/${form?.formid}`, parts(xform('elsewhere', '2')))).statusCode).toBe(400)
    expect(await versionsOf(form?.formid ?? 0)).toEqual(['1', '2'])
    const ofProject = (await app.as(ana)('GET', `/projects/${project}`)).json().forms as { formid: number }[]
    expect(ofProject.map(({ formid }) => formid)).toEqual([form?.formid])
  })

  it('403 for those who may not add or change forms there, 404 for a stranger to a project or a form, 401 without a name', async () => {
    const [editor, stranger] = [await app.account(), await app.account()]
    const form = await publish(app, ana, sheet('type,name,label\ntext,name,Name', { settings: { form_id: 'guarded' } }))
    await shareForm(app, ana, form, editor, 'editor')
    expect((await push(editor, `/forms/${form.formid}`, parts(xform('guarded', '9')))).statusCode).toBe(403)
    expect((await push(editor, '/ana', parts(xform('guarded', '9')))).statusCode).toBe(403)
    expect((await push(stranger, '/ana', parts(xform('strange', '9')))).statusCode).toBe(403)
    const hidden = await push(stranger, `/forms/${form.formid}`, parts(xform('guarded', '9')))
    const missing = await push(stranger, '/forms/2147483647', parts(xform('guarded', '9')))
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
    expect((await push(null, '/ana', parts(xform('guarded', '9')))).statusCode).toBe(401)
    expect(await formsOf(ana, 'strange')).toEqual([])
  })

  it('400 for one refused file changes nothing: no new version, no file replaced, none lost; all faults are told', async () => {
    await push(ana, '/ana', parts(xform('whole', '1'), [{ name: 'a.csv', content: 'name\n1\n' }]))
    const [form] = await formsOf(ana, 'whole')
    const before = await filesOf('whole')
    const refused = [
      { name: 'a.csv', content: 'name\n2\n' },
      { name: 'notes.exe', content: 'MZ' },
      { name: 'false.png', content: 'no picture' },
    ]
    const answer = await push(ana, '/ana', parts(xform('whole', '2'), refused))
    expect(answer.statusCode).toBe(400)
    for (const name of ['notes.exe', 'false.png']) expect(answer.body).toContain(name)
    expect([await versionsOf(form?.formid ?? 0), await filesOf('whole')]).toEqual([['1'], before])
    expect((await push(ana, '/ana', parts(xform('unborn', '1'), refused))).statusCode).toBe(400)
    expect([await formsOf(ana, 'unborn'), await pending()]).toEqual([[], 0])
  })

  it('500 after a file could not be stored leaves neither its form, nor its version, nor another file', async () => {
    await push(ana, '/ana', parts(xform('one', '1'), [{ name: 'a.csv', content: 'name\n1\n' }]))
    const [form] = await formsOf(ana, 'one')
    const before = await filesOf('one')
    await app.deps.db.run(sql`alter table metadata add constraint fault check (data_value <> 'fault.csv')`)
    const files = ['a.csv', 'fault.csv'].map((name) => ({ name, content: 'name\n2\n' }))
    for (const xml of [xform('one', '1'), xform('one', '2'), xform('other', '1')]) {
      expect((await push(ana, '/ana', parts(xml, files))).statusCode).toBe(500)
    }
    await app.deps.db.run(sql`alter table metadata drop constraint fault`)
    expect([await versionsOf(form?.formid ?? 0), await filesOf('one')]).toEqual([['1'], before])
    expect([await formsOf(ana, 'other'), await pending()]).toEqual([[], 0])
  })

  it('201 with an older version leaves the files as they are; with the present one they take their places', async () => {
    const file = (content: string, name = 'a.csv') => ({ name, content })
    for (const version of ['1', '2']) await push(ana, '/ana', parts(xform('older', version), [file(version)]))
    const older = await push(ana, '/ana', parts(xform('older', '1'), [file('old'), file('old', 'b.csv')]))
    expect([older.statusCode, older.body]).toEqual([201, expect.stringContaining('nothing was changed')])
    expect(await filesOf('older')).toEqual([['a.csv', 200, '2']])
    const present = parts(xform('older', '2'), [file('first'), file('3'), file('new', 'b.csv')])
    expect((await push(ana, '/ana', present)).statusCode).toBe(201)
    expect(await filesOf('older')).toEqual([
      ['a.csv', 200, '3'],
      ['b.csv', 200, 'new'],
    ])
    expect(await pending()).toBe(0)
  })

  it('201 while the same file is added by others: one of that name in the end', async () => {
    await push(ana, '/ana', parts(xform('beside', '1')))
    const [form] = await formsOf(ana, 'beside')
    const add = () => {
      const fields = { xform: String(form?.formid), data_type: 'media', data_value: 'a.csv' }
      const { body, headers } = multipart([
        ...Object.entries(fields).map(([name, content]) => ({ name, content })),
        { name: 'data_file', filename: 'a.csv', type: 'text/csv', content: 'added' },
      ])
      return app.as(ana)('POST', '/metadata', { body, headers })
    }
    const pushed = () => push(ana, '/ana', parts(xform('beside', '1'), [{ name: 'a.csv', content: 'pushed' }]))
    const answers = await Promise.all([pushed(), add(), pushed(), add(), pushed(), add()])
    expect([0, 2, 4].map((at) => answers[at]?.statusCode)).toEqual([201, 201, 201])
    expect(await filesOf('beside')).toHaveLength(1)
  })

  it('400 with what is wrong, for no form, a broken one, and a file that is none of its kind', async () => {
    const none = await push(ana, '/ana', [{ name: 'other', filename: 'x.csv', type: 'text/csv', content: 'a' }])
    expect([none.statusCode, none.body]).toEqual([400, expect.stringContaining('form_def_file')])
    expect((await push(ana, '/ana', parts('<broken'))).statusCode).toBe(400)
    const odd = await push(ana, '/ana', parts(xform('odd', '1'), [{ name: 'x.exe', content: 'MZ' }]))
    expect([odd.statusCode, odd.body]).toEqual([400, expect.stringContaining('x.exe')])
    const answer = await app.page('POST', '/ana/formUpload', {
      body: 'x',
      headers: { 'content-type': 'text/plain', authorization: `Token ${ana.apiToken}` },
    })
    expect(answer.statusCode).toBe(415)
  })

  it('201 with large files, straight into the store; 400 for more parts than budgets.pulls.pushedFiles', async () => {
    const large = `name\n${'x'.repeat(400_000)}\n`
    expect(
      (await push(ana, '/ana', parts(xform('large', '1'), [{ name: 'large.csv', content: large }]))).statusCode,
    ).toBe(201)
    const [form] = await formsOf(ana, 'large')
    expect((await mediaOf(form?.formid ?? 0)).map(([name]) => name)).toEqual(['large.csv'])
    const many = Array.from({ length: budgets.pulls.pushedFiles }, (_, at) => ({ name: `f${at}.csv`, content: 'a' }))
    expect((await push(ana, '/ana', parts(xform('many', '1'), many))).statusCode).toBe(400)
  })
})
