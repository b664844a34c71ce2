// A link hands the records of a form on to those who have a role on another one, and to nobody else.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { look } from '../../../test/support/mandates.js'
import { newProject, share } from '../../../test/support/projects.js'
import { instance, send } from '../../../test/support/submissions.js'

const app = testApp()
let ana: Account
let ben: Account
let stranger: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
  stranger = await app.account({ username: 'stranger' })
})

const question = (id: string) => sheet('type,name,label\ntext,who,Who', { settings: { form_id: id } })
const page = (path: string, account: Account | null) =>
  app.page('GET', path, { headers: account === null ? {} : { authorization: `Token ${account.apiToken}` } })
const patch = (pk: number, body: object) => app.as(ana)('PATCH', `/forms/${pk}`, { body })

let made = 0

/** A private form with one record, and a form into which its records are linked by `by`. */
const linked = async (by = ana) => {
  const number = ++made
  const [near, far] = [await newProject(app, ana), await newProject(app, ana)]
  const people = await publish(app, ana, question(`people${number}`), { project: far })
  const visit = await publish(app, ana, question(`visit${number}`), { project: near })
  await send(app, ana, '', instance(people, '<who>Amina</who>'))
  if (by !== ana) for (const project of [near, far]) await share(app, ana, project, by.username, 'manager')
  const add = async (fields: object) => {
    const body = { data_type: 'media', data_value: `xform ${people.formid} people`, ...fields }
    const added = await app.as(by)('POST', '/metadata', { body })
    if (added.statusCode !== 201) throw new Error(added.body)
    return added.json().id as number
  }
  const id = await add({ xform: visit.formid })
  return { near, far, people, visit, add, id, ...addresses(visit, id) }
}

const addresses = (visit: PublishedForm, id: number) => ({
  manifest: `/ana/xformsManifest/${visit.formid}`,
  files: [`/ana/xformsMedia/${visit.formid}/${id}.csv`, `/api/v1/metadata/${id}.csv`],
})

describe('records that are linked into a form', () => {
  it('are not for anonymous callers, where nobody is asked to sign in: 401 for devices and elsewhere', async () => {
    const { manifest, files, visit } = await linked()
    for (const body of [{}, { public: true, public_data: true }]) {
      await patch(visit.formid, body)
      const answers = await Promise.all([manifest, ...files].map((path) => page(path, null)))
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401])
      for (const { headers } of answers) expect(headers['www-authenticate']).toBeDefined()
      for (const { body } of answers) expect(body).not.toMatch(/Amina|people\.csv/)
    }
  })

  it('are not for those who sign in and have no role on that form; its other files are', async () => {
    const { manifest, files, visit } = await linked()
    await patch(visit.formid, { public: true, public_data: true })
    const answer = await page(manifest, stranger)
    expect([answer.statusCode, answer.body.includes('<mediaFile>')]).toEqual([200, false])
    for (const path of files) expect((await page(path, stranger)).statusCode).toBe(404)
  })

  it.each(['dataentry-only', 'dataentry-minor', 'readonly', 'manager'])('are for %s of that form', async (role) => {
    const { manifest, files, near } = await linked()
    await share(app, ana, near, 'ben', role)
    expect((await page(manifest, ben)).body).toContain('people.csv')
    for (const path of files) expect((await page(path, ben)).body).toContain('Amina')
  })

  it('are for everybody where they are public themselves', async () => {
    const { manifest, files, people } = await linked()
    await patch(people.formid, { public_data: true })
    expect((await page(manifest, null)).body).toContain('people.csv')
    expect((await page(files[0] ?? '', null)).body).toContain('Amina')
  })

  it('in a public project or on a public record they are for those with a role there', async () => {
    const { near, visit, add } = await linked()
    await app.as(ana)('PATCH', `/projects/${near}`, { body: { public: true } })
    await send(app, ana, '', instance(visit, '<who>Zoe</who>'))
    const [{ _id }] = (await app.as(ana)('GET', `/data/${visit.formid}`)).json()
    for (const holder of [{ project: near }, { instance: _id }]) {
      const path = `/api/v1/metadata/${await add(holder)}.csv`
      expect((await page(path, stranger)).statusCode).toBe(404)
      expect((await page(path, null)).statusCode).toBe(401)
      expect((await page(path, ana)).body).toContain('Amina')
    }
  })

  it('without links the manifest stays open to everybody', async () => {
    const { manifest, id } = await linked()
    await app.as(ana)('DELETE', `/metadata/${id}`)
    expect((await page(manifest, null)).statusCode).toBe(200)
  })
})

describe('whoever linked them loses the right', () => {
  it.each([
    ['on the records', 'far'],
    ['on the form that they are linked into', 'near'],
  ] as const)(
    '%s: they are gone at once; they are back with the right, unless the owners were told before',
    async (_title, which) => {
      const cat = await app.account()
      const place = await linked(cat)
      const { manifest, files } = place
      const listed = async () => (await page(manifest, ana)).body.includes('people.csv')
      expect(await listed()).toBe(true)
      const remove = { username: cat.username, role: 'manager', remove: true }
      await app.as(ana)('PUT', `/projects/${place[which]}/share`, { body: remove })
      for (const path of files) expect((await page(path, ana)).statusCode).toBe(404)
      expect(await listed()).toBe(false)
      await share(app, ana, place[which], cat.username, 'manager')
      expect(await listed()).toBe(true)
      await app.as(ana)('PUT', `/projects/${place[which]}/share`, { body: remove })
      const told = async () => (await app.mailsTo(ana.email)).filter(({ text }) => text.includes('people.csv')).length
      const before = await told()
      await look(app)
      expect(await told()).toBe(before + 1)
      await share(app, ana, place[which], cat.username, 'manager')
      expect(await listed()).toBe(false)
    },
  )
})
