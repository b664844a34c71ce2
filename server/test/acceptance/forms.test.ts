// Forms of a project: published from a file, moved from another project, listed; and what a stranger gets of them.
import { beforeAll, describe, expect, it } from 'vitest'
import { acceptance, newName, type Person } from './service.js'

const service = acceptance()
let ana: Person
let ben: Person
let stranger: Person

interface Form {
  url: string
  formid: number
  uuid: string
  id_string: string
  title: string
  tags: string[]
  users: { user: string; role: string }[]
}

beforeAll(async () => {
  ana = await service.person('ana')
  ben = await service.person('ben')
  stranger = await service.person('stranger')
})

const as = (by: Person, method: string, path: string, json?: object) =>
  service.call(method, path, { auth: by.auth, ...(json && { json }) })
const makeProject = async (by: Person): Promise<number> => {
  const made = await as(by, 'POST', '/projects', { name: newName('project') })
  return made.read<{ projectid: number }>().projectid
}
const sheet = (id: string, type = 'integer') =>
  `survey\n,type,name,label\n,${type},age,Your age?\nsettings\n,form_id,form_title\n,${id},A title\n`
const upload = (by: Person, project: number, text: string) => {
  const raw = `--b\r\nContent-Disposition: form-data; name="xls_file"; filename="form.csv"\r\nContent-Type: text/csv\r\n\r\n${text}\r\n--b--\r\n`
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  return service.call('POST', `/projects/${project}/forms`, { auth: by.auth, raw, headers })
}

describe('POST /projects/{pk}/forms', () => {
  it('with the file part xls_file: 201 and the form summary, every field of the contract', async () => {
    const id = newName('visit')
    const answer = await upload(ana, await makeProject(ana), sheet(id))
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      url: expect.stringMatching(/\/api\/v1\/forms\/\d+$/),
      formid: expect.any(Number),
      uuid: expect.stringMatching(/^[0-9a-f]{32}$/),
      id_string: id,
      sms_id_string: id,
      title: 'A title',
      allows_sms: false,
      ext_dataset: '',
      description: '',
      downloadable: true,
      encrypted: false,
      owner: ana.username,
      public: false,
      public_data: false,
      date_created: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/),
      date_modified: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/),
    })
    const { url } = answer.read<Form>()
    expect((await as(ana, 'GET', new URL(url).pathname.replace('/api/v1', ''))).status).toBe(200)
  })

  it('with formid (JSON): the form is in the new project and no longer in the old one', async () => {
    const [from, to] = [await makeProject(ana), await makeProject(ana)]
    const { formid, uuid } = (await upload(ana, from, sheet(newName('moved')))).read<Form>()
    const answer = await as(ana, 'POST', `/projects/${to}/forms`, { formid })
    expect([answer.status, answer.body]).toMatchObject([201, { formid, uuid }])
    const ids = async (pk: number) =>
      (await as(ana, 'GET', `/projects/${pk}/forms`)).read<Form[]>().map((form) => form.formid)
    expect([await ids(from), await ids(to)]).toEqual([[], [formid]])
  })

  it('400 for a mistake in the sheet, with its row; nothing is added', async () => {
    const project = await makeProject(ana)
    const answer = await upload(ana, project, sheet(newName('wrong'), 'integr'))
    expect([answer.status, answer.body]).toMatchObject([400, { text: expect.stringMatching(/row 2.*integr/) }])
    expect((await as(ana, 'GET', `/projects/${project}/forms`)).body).toEqual([])
  })

  it('403 below manager, 404 for a stranger, 401 for an anonymous caller', async () => {
    const project = await makeProject(ana)
    await as(ana, 'PUT', `/projects/${project}/share`, { username: ben.username, role: 'editor' })
    expect((await upload(ben, project, sheet(newName('no')))).status).toBe(403)
    expect((await upload(stranger, project, sheet(newName('no')))).status).toBe(404)
    expect((await service.call('POST', `/projects/${project}/forms`, { json: { formid: 1 } })).status).toBe(401)
  })
})

describe('GET /projects/{pk}/forms', () => {
  it('200 with the form summaries, each with tags and with users and their roles; 404 for a stranger', async () => {
    const project = await makeProject(ana)
    const { formid } = (await upload(ana, project, sheet(newName('listed')))).read<Form>()
    await as(ana, 'POST', `/forms/${formid}/labels`, { tags: 'health' })
    await as(ana, 'PUT', `/projects/${project}/share`, { username: ben.username, role: 'readonly' })
    const [form, ...others] = (await as(ben, 'GET', `/projects/${project}/forms`)).read<Form[]>()
    expect([form, others]).toMatchObject([{ formid, tags: ['health'] }, []])
    expect(form?.users.map(({ user, role }) => [user, role])).toEqual(
      expect.arrayContaining([
        [ana.username, 'owner'],
        [ben.username, 'readonly'],
      ]),
    )
    expect((await as(stranger, 'GET', `/projects/${project}/forms`)).status).toBe(404)
  })
})
