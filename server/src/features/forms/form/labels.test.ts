import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import { publish, visitSheet } from '../../../../test/support/forms.js'
import { newProject, share } from '../../../../test/support/projects.js'

const app = testApp()
let ana: Account
let ben: Account
let stranger: Account
let path: string
let project: number

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
  stranger = await app.account({ username: 'stranger' })
  project = await newProject(app, ana)
  path = `/forms/${(await publish(app, ana, visitSheet(), { project })).formid}`
})

const post = (by: Account, tags: unknown) => app.as(by)('POST', `${path}/labels`, { body: { tags } })
const remove = (by: Account, label: string) => app.as(by)('DELETE', `${path}/labels/${encodeURIComponent(label)}`)

describe('/forms/{pk}/labels', () => {
  it('POST 201 with all labels: by commas, by blanks, in quotes, as a list; twice is once; the form shows them', async () => {
    expect((await post(ana, 'b c, a/d')).json()).toEqual(['a/d', 'b c'])
    expect((await post(ana, 'e "f g" e')).json()).toEqual(['a/d', 'b c', 'e', 'f g'])
    const list = await post(ana, ['a.json', 'e'])
    expect([list.statusCode, list.json()]).toEqual([201, ['a.json', 'a/d', 'b c', 'e', 'f g']])
    expect((await app.as(ana)('GET', `${path}/labels`)).json()).toEqual(list.json())
    expect((await app.as(ana)('GET', path)).json().tags).toEqual(list.json())
  })

  it('DELETE 200 with what is left; 404 for one that is not there', async () => {
    for (const label of ['a/d', 'a.json', 'b c', 'f g']) expect((await remove(ana, label)).statusCode).toBe(200)
    const last = await remove(ana, 'e')
    expect([last.statusCode, last.json()]).toEqual([200, []])
    expect((await remove(ana, 'e')).statusCode).toBe(404)
  })

  it('POST 400 without tags, with too many, too long ones, and parts of an address', async () => {
    for (const tags of [
      undefined,
      '',
      ' , ',
      5,
      Array.from({ length: 101 }, (_, at) => String(at)),
      'x'.repeat(101),
      '..',
    ]) {
      const response = await post(ana, tags)
      expect([response.statusCode, response.json()]).toEqual([400, { tags: [expect.any(String)] }])
    }
  })

  it('editors and up write, 403 below; 404 for strangers, 401 for nobody', async () => {
    await share(app, ana, project, 'ben', 'editor')
    expect([(await post(ben, 'x')).statusCode, (await remove(ben, 'x')).statusCode]).toEqual([201, 200])
    await share(app, ana, project, 'ben', 'dataentry')
    expect([(await post(ben, 'x')).statusCode, (await remove(ben, 'x')).statusCode]).toEqual([403, 403])
    expect((await app.as(ben)('GET', `${path}/labels`)).statusCode).toBe(200)
    expect([(await post(stranger, 'x')).statusCode, (await remove(stranger, 'x')).statusCode]).toEqual([404, 404])
    expect((await app.as(stranger)('GET', `${path}/labels`)).statusCode).toBe(404)
    expect((await app.call('POST', `${path}/labels`, { body: { tags: 'x' } })).statusCode).toBe(401)
  })
})
