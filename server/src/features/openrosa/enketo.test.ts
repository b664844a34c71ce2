// Enketo: it asks with HEAD and without credentials; only where that is 401 does it send what it knows of the person.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { basicAuth } from '../../../test/support/oauth.js'
import { newProject, share } from '../../../test/support/projects.js'
import { instance, newId, submissionBody } from '../../../test/support/submissions.js'

const app = testApp()
let ana: Account
let eno: Account
let project: number
let form: PublishedForm

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  eno = await app.account({ username: 'eno' })
  project = await newProject(app, ana)
  const survey = sheet('type,name,label\ntext,who,Who', { settings: { form_id: 'open' } })
  form = await publish(app, ana, survey, { project })
  await share(app, ana, project, 'eno', 'editor')
})

/** As Enketo submits for somebody who has signed in to it. */
const submit = async (server: string, person: Account, xml: string) => {
  const probe = await app.page('HEAD', `${server}/submission`)
  const isAsked = probe.statusCode === 401 && probe.headers['www-authenticate']?.toString().startsWith('Basic ')
  const { body, headers } = submissionBody(xml)
  const known = isAsked ? { authorization: basicAuth(person.username, person.password) } : {}
  return app.page('POST', `${server}/submission`, { body, headers: { ...headers, ...known } })
}

const recordOf = async (uuid: string) =>
  (await app.as(ana)('GET', `/data/${form.formid}?query={"_uuid":"${uuid}"}`)).json()[0]

const addresses = (): string[] => [
  '/me',
  '/me/ana',
  `/me/projects/${project}`,
  `/me/forms/${form.formid}`,
  `/me/ana/${form.formid}`,
]

describe('below /me', () => {
  it('401 for nobody, 204 for whoever signs in, at every place, though the form is open to everybody', async () => {
    for (const place of addresses()) {
      const probe = await app.page('HEAD', `${place}/submission`)
      expect([place, probe.statusCode, probe.headers['www-authenticate']]).toEqual([place, 401, 'Basic realm="api"'])
      const headers = { authorization: basicAuth('eno', eno.password) }
      const known = await app.page('HEAD', `${place}/submission`, { headers })
      expect([place, known.statusCode, known.headers.location]).toEqual([
        place,
        204,
        `http://localhost:80${place}/submission`,
      ])
      expect((await app.page('GET', `${place}/formList`)).statusCode).toBe(401)
      const list = await app.page('GET', `${place}/formList`, { headers })
      expect([list.statusCode, list.body]).toEqual([200, expect.stringContaining('<formID>open</formID>')])
    }
  })

  it('201 with its sender for a new record; without it at the address that does not ask', async () => {
    for (const place of addresses().slice(1)) {
      const id = newId()
      expect((await submit(place, eno, instance(form, '<who>x</who>', { id }))).statusCode).toBe(201)
      expect((await recordOf(id))._submitted_by).toBe('eno')
    }
    const id = newId()
    expect((await submit('/ana', eno, instance(form, '<who>x</who>', { id }))).statusCode).toBe(201)
    expect((await recordOf(id))._submitted_by).toBeNull()
  })

  it('201 for an edit, with who edited it; 401 with a challenge at the address that does not ask', async () => {
    const [first, second, third] = [newId(), newId(), newId()]
    await submit('/me/ana', ana, instance(form, '<who>x</who>', { id: first }))
    const edit = instance(form, '<who>y</who>', { id: second, deprecated: first })
    const edited = await submit('/me/ana', eno, edit)
    expect(edited.statusCode).toBe(201)
    expect(await recordOf(second)).toMatchObject({ who: 'y', _submitted_by: 'ana', _last_edited_by: 'eno' })
    const refused = await submit('/ana', eno, instance(form, '<who>z</who>', { id: third, deprecated: second }))
    expect([refused.statusCode, refused.headers['www-authenticate']]).toEqual([401, 'Basic realm="api"'])
  })

  it('401 before the body is read for a post without credentials, and nothing is stored', async () => {
    const id = newId()
    const { body, headers } = submissionBody(instance(form, '<who>x</who>', { id }))
    expect((await app.page('POST', '/me/ana/submission', { body, headers })).statusCode).toBe(401)
    expect(await recordOf(id)).toBeUndefined()
  })
})
