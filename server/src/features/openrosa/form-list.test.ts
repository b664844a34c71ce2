import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, visitSheet } from '../../../test/support/forms.js'
import { multipart } from '../../../test/support/multipart.js'
import { newProject, share } from '../../../test/support/projects.js'
import { instance, send } from '../../../test/support/submissions.js'

const app = testApp()
let ana: Account
let ben: Account
let project: number
let form: PublishedForm

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
  project = await newProject(app, ana)
  form = await publish(app, ana, visitSheet({ form_id: 'visit', form_title: 'Visit', version: '1' }), { project })
})

const get = (path: string, account: Account | null = null) =>
  app.page('GET', path, { headers: account === null ? {} : { authorization: `Token ${account.apiToken}` } })
const ids = (body: string) => [...body.matchAll(/<formID>([^<]*)<\/formID>/g)].map(([, id]) => id)
const setForm = (changes: object) => app.as(ana)('PATCH', `/forms/${form.formid}`, { body: changes })
const setAccount = (changes: object) => app.as(ana)('PATCH', '/profiles/ana', { body: changes })

const addMedia = async (name: string, content: string) => {
  const body = multipart([
    { name: 'data_type', content: 'media' },
    { name: 'xform', content: String(form.formid) },
    { name: 'data_file', filename: name, type: 'text/csv', content },
  ])
  const added = await app.as(ana)('POST', '/metadata', body)
  if (added.statusCode !== 201) throw new Error(added.body)
  return added.json().id as number
}

describe('GET …/formList', () => {
  it('200 with the elements of the protocol in their order, and its headers', async () => {
    const answer = await get('/formList', ana)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/xml; charset=utf-8',
      'x-openrosa-version': '1.0',
      'x-openrosa-accept-content-length': '10000000',
    })
    const base = 'http://localhost:80/ana'
    expect(answer.body).toBe(
      `<?xml version="1.0" encoding="utf-8"?>\n<xforms xmlns="http://openrosa.org/xforms/xformsList"><xform><formID>visit</formID><name>Visit</name><version>1</version><hash>${form.hash}</hash><descriptionText></descriptionText><downloadUrl>${base}/forms/${form.formid}/form.xml</downloadUrl></xform></xforms>`,
    )
    expect(form.hash).toMatch(/^md5:[0-9a-f]{32}$/)
  })

  it('an account without forms has an empty list', async () => {
    expect((await get('/formList', ben)).body).toBe(
      '<?xml version="1.0" encoding="utf-8"?>\n<xforms xmlns="http://openrosa.org/xforms/xformsList"></xforms>',
    )
  })

  it('all places of the protocol; ?formID= narrows; names in any case', async () => {
    for (const at of ['/ana', '/ANA', `/projects/${project}`, `/forms/${form.formid}`, `/ana/${form.formid}`]) {
      expect([at, ids((await get(`${at}/formList`)).body)]).toEqual([at, ['visit']])
    }
    expect(ids((await get('/ana/formList?formID=visit')).body)).toEqual(['visit'])
    expect(ids((await get('/ana/formList?formID=other')).body)).toEqual([])
  })

  it('401 without an account in the address, and for a form that is not there; 404 for nobody; 400 for ids that are none', async () => {
    const anonymous = await get('/formList')
    expect([anonymous.statusCode, anonymous.headers['www-authenticate']]).toEqual([401, 'Basic realm="api"'])
    expect((await get('/nobody/formList')).statusCode).toBe(404)
    expect((await get('/forms/2147483647/formList')).statusCode).toBe(401)
    expect((await get('/forms/2147483647/formList', ben)).statusCode).toBe(404)
    expect((await get('/forms/x/formList')).statusCode).toBe(400)
    expect((await get('/projects/x/formList')).statusCode).toBe(400)
  })

  it('roles that may submit see the form in their list, readers do not; inactive forms are in none', async () => {
    for (const [role, seen] of [
      ['readonly', []],
      ['dataentry-only', ['visit']],
      ['editor', ['visit']],
    ] as const) {
      const person = await app.account()
      await share(app, ana, project, person.username, role)
      expect([role, ids((await get('/formList', person)).body)]).toEqual([role, seen])
    }
    await setForm({ downloadable: false })
    expect(ids((await get('/formList', ana)).body)).toEqual([])
    expect(ids((await get('/ana/formList')).body)).toEqual([])
    await setForm({ downloadable: true })
  })

  it('a stranger who signed in sees of an account what is public; what others share is only in one’s own list', async () => {
    expect(ids((await get('/ana/formList', ben)).body)).toEqual([])
    await setForm({ public: true })
    expect(ids((await get('/ana/formList', ben)).body)).toEqual(['visit'])
    await setForm({ public: false })
    const carl = await app.account()
    const carls = await newProject(app, carl)
    await publish(app, carl, visitSheet({ form_id: 'from_carl' }), { project: carls })
    await share(app, carl, carls, 'ana', 'dataentry')
    expect(ids((await get('/ana/formList', ana)).body).sort()).toEqual(['from_carl', 'visit'])
    expect(ids((await get('/ana/formList', ben)).body)).toEqual([])
    expect(ids((await get('/ana/formList')).body)).toEqual(['visit'])
  })

  it('whatever it lists for somebody at their own address is taken there, by its id and by its identifier', async () => {
    const dan = await app.account()
    await share(app, ana, project, dan.username, 'dataentry')
    const address = `/${dan.username}`
    expect(ids((await get(`${address}/formList`, dan)).body)).toEqual(['visit'])
    for (const named of [form, { ...form, uuid: '' }]) {
      const answer = await send(app, dan, address, instance(named, '<name>Eli</name>'))
      expect(answer.statusCode).toBe(201)
    }
    const sent = await app.as(ana)('GET', `/data/${form.formid}`, { query: { query: '{"name":"Eli"}' } })
    expect(sent.json().map((record: Record<string, unknown>) => record._submitted_by)).toEqual([
      dan.username,
      dan.username,
    ])
    // At an address of others only what they own, and of those who do not sign in, only what the account has.
    expect((await send(app, ana, address, instance(form, '<name>Eli</name>'))).statusCode).toBe(404)
    expect((await send(app, null, address, instance(form, '<name>Eli</name>'))).statusCode).toBe(401)
  })

  it('require_auth of the account: 401 for anonymous; of a form: it is left out of their list', async () => {
    await setAccount({ require_auth: true })
    expect((await get('/ana/formList')).statusCode).toBe(401)
    expect((await get(`/forms/${form.formid}/formList`)).statusCode).toBe(401)
    expect(ids((await get('/ana/formList', ana)).body)).toContain('visit')
    await setAccount({ require_auth: false })
    await setForm({ require_auth: true })
    expect(ids((await get('/ana/formList')).body)).not.toContain('visit')
    await setForm({ require_auth: false })
  })
})

describe('what devices download', () => {
  it('the form: the very XML whose hash is in the list', async () => {
    const answer = await get(`/ana/forms/${form.formid}/form.xml`)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/xml; charset=utf-8'])
    expect(`md5:${createHash('md5').update(answer.body).digest('hex')}`).toBe(form.hash)
    expect(answer.body).toContain(`calculate="'${form.uuid}'"`)
  })

  it('a manifest with the name, hash and address of each file, and the bytes behind it', async () => {
    expect((await get(`/ana/xformsManifest/${form.formid}`)).body).toBe(
      '<?xml version="1.0" encoding="utf-8"?>\n<manifest xmlns="http://openrosa.org/xforms/xformsManifest"></manifest>',
    )
    const id = await addMedia('towns.csv', 'name,label\na,A\n')
    expect((await get('/ana/formList')).body).toContain(
      `<manifestUrl>http://localhost:80/ana/xformsManifest/${form.formid}</manifestUrl>`,
    )
    const { body } = await get(`/ana/xformsManifest/${form.formid}`)
    const hash = createHash('md5').update('name,label\na,A\n').digest('hex')
    const address = `http://localhost:80/ana/xformsMedia/${form.formid}/${id}.csv`
    expect(body).toContain(
      `<mediaFile><filename>towns.csv</filename><hash>md5:${hash}</hash><downloadUrl>${address}</downloadUrl></mediaFile>`,
    )
    const file = await get(new URL(address).pathname)
    expect([file.statusCode, file.body]).toEqual([200, 'name,label\na,A\n'])
    expect(file.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
      'content-disposition': expect.stringMatching(/^attachment; filename="towns.csv"/),
    })
    expect((await get(`/ana/xformsMedia/${form.formid}/2147483.csv`)).statusCode).toBe(404)
    const other = await publish(app, ana, visitSheet({ form_id: 'without_media' }))
    expect((await get(`/ana/xformsMedia/${other.formid}/${id}.csv`)).statusCode).toBe(404)
  })

  it('401 for anonymous where the form asks for it, 404 for strangers, exactly as for what is missing', async () => {
    await setForm({ require_auth: true })
    const paths = [`/ana/forms/${form.formid}/form.xml`, `/ana/xformsManifest/${form.formid}`]
    for (const path of paths) {
      expect((await get(path)).statusCode).toBe(401)
      const hidden = await get(path, ben)
      const missing = await get(path.replace(String(form.formid), '2147483647'), ben)
      expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
      expect((await get(path, ana)).statusCode).toBe(200)
    }
    await setForm({ require_auth: false })
    expect((await get(`/ben/forms/${form.formid}/form.xml`)).statusCode).toBe(401)
    expect((await get(`/ben/forms/${form.formid}/form.xml`, ben)).statusCode).toBe(404)
  })
})
