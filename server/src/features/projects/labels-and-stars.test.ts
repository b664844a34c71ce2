import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { newProject } from '../../../test/support/projects.js'
import { parseTags } from '../../platform/words/index.js'

const app = testApp()
let ana: Account
let ben: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
})

describe('parseTags', () => {
  it.each([
    ['a b c', ['a', 'b', 'c']],
    ['a b, c', ['a b', 'c']],
    ['"a b" c', ['a b', 'c']],
    ['"a, b", c', ['a, b', 'c']],
    [' a  a ', ['a']],
    [' , ', []],
    ['"', []],
  ])('%j is %j', (text, tags) => expect(parseTags(text)).toEqual(tags))
})

describe('/projects/{pk}/labels', () => {
  it('POST 201 with all tags, by comma, blank or array; DELETE 200 with what is left, also for one that is not there', async () => {
    const pk = await newProject(app, ana)
    const post = (tags: unknown) => app.as(ana)('POST', `/projects/${pk}/labels`, { body: { tags } })
    expect((await post('child health, wash')).json()).toEqual(['child health', 'wash'])
    expect((await post('WASH census')).json()).toEqual(['child health', 'wash', 'census'])
    const third = await post(['a/b'])
    expect([third.statusCode, third.json()]).toEqual([201, ['child health', 'wash', 'census', 'a/b']])
    expect((await app.as(ana)('GET', `/projects/${pk}`)).json().tags).toHaveLength(4)
    expect((await app.as(ana)('GET', `/projects/${pk}/labels/child%20health`)).json()).toEqual(['child health'])
    const remove = (tag: string) => app.as(ana)('DELETE', `/projects/${pk}/labels/${encodeURIComponent(tag)}`)
    expect((await remove('child health')).json()).toEqual(['wash', 'census', 'a/b'])
    expect((await remove('a/b')).json()).toEqual(['wash', 'census'])
    const unknown = await remove('nothing')
    expect([unknown.statusCode, unknown.json()]).toEqual([200, ['wash', 'census']])
    expect((await app.as(ana)('GET', `/projects/${pk}/labels`)).json()).toEqual(['wash', 'census'])
  })

  it.each([[{}], [{ tags: '' }], [{ tags: 5 }], [{ tags: [1] }], [{ tags: { a: 1 } }]])('400 for %j', async (body) => {
    const pk = await newProject(app, ana)
    const response = await app.as(ana)('POST', `/projects/${pk}/labels`, { body })
    expect([response.statusCode, response.json()]).toEqual([400, { tags: ['This field is required.'] }])
  })

  it('a label that looks like a format is a label; one that would be another address is refused', async () => {
    const pk = await newProject(app, ana)
    const tags = ['v1.json', 'x.csv', 'y.xml']
    expect((await app.as(ana)('POST', `/projects/${pk}/labels`, { body: { tags } })).json()).toEqual(tags)
    for (const tag of tags) {
      expect((await app.as(ana)('GET', `/projects/${pk}/labels/${tag}`)).json()).toEqual([tag])
      expect((await app.as(ana)('DELETE', `/projects/${pk}/labels/${tag}`)).json()).not.toContain(tag)
    }
    const refused = await app.as(ana)('POST', `/projects/${pk}/labels`, { body: { tags: 'ok,..' } })
    expect([refused.statusCode, refused.json()]).toEqual([400, { tags: ['A tag may not be . or ..'] }])
  })

  it('400 for too long a tag, and for too many', async () => {
    const pk = await newProject(app, ana)
    const post = async (tags: string) =>
      (await app.as(ana)('POST', `/projects/${pk}/labels`, { body: { tags } })).json()
    expect(await post('x'.repeat(101))).toEqual({ tags: ['Ensure each tag has no more than 100 characters.'] })
    const many = Array.from({ length: 101 }, (_, i) => i).join(',')
    expect(await post(many)).toEqual({ tags: ['Ensure this field has no more than 100 tags.'] })
  })
})

describe('/projects/{pk}/star', () => {
  it('204 keeps one star, however often it is posted; DELETE 204 removes it, however often', async () => {
    const pk = await newProject(app, ana, { public: true })
    for (const _ of [1, 2]) expect((await app.as(ben)('POST', `/projects/${pk}/star`)).statusCode).toBe(204)
    const fans = (await app.as(ana)('GET', `/projects/${pk}/star`)).json()
    expect(fans).toMatchObject([{ username: 'ben' }])
    expect(fans[0]).not.toHaveProperty('email')
    expect((await app.as(ben)('GET', `/projects/${pk}`)).json().starred).toBe(true)
    expect((await app.as(ana)('GET', `/projects/${pk}`)).json().starred).toBe(false)
    for (const _ of [1, 2]) expect((await app.as(ben)('DELETE', `/projects/${pk}/star`)).statusCode).toBe(204)
    expect((await app.as(ana)('GET', `/projects/${pk}/star`)).json()).toEqual([])
  })

  it('404 for a hidden project, exactly as for a missing one', async () => {
    const hidden = await app.as(ben)('POST', `/projects/${await newProject(app, ana)}/star`)
    const missing = await app.as(ben)('POST', '/projects/2147483647/star')
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
  })
})

describe('GET /user/{username}/starred', () => {
  it('200 with the projects that the caller may see, as details; hidden and deleted ones are left out', async () => {
    const carl = await app.account()
    const [open, hidden, gone] = [
      await newProject(app, carl, { name: 'open', public: true }),
      await newProject(app, carl, { name: 'hidden' }),
      await newProject(app, carl, { name: 'gone', public: true }),
    ]
    for (const pk of [open, hidden, gone]) await app.as(carl)('POST', `/projects/${pk}/star`)
    await app.as(carl)('DELETE', `/projects/${gone}`)
    const names = async (by: Account) =>
      (await app.as(by)('GET', `/user/${carl.username.toUpperCase()}/starred`))
        .json()
        .map(({ name }: { name: string }) => name)
    expect(await names(carl)).toEqual(['hidden', 'open'])
    expect(await names(ben)).toEqual(['open'])
    expect((await app.as(carl)('GET', `/user/${carl.username}/starred`)).json()[0]).toHaveProperty('data_views')
  })

  it('404 for an unknown user, 401 for an anonymous caller', async () => {
    expect((await app.as(ana)('GET', '/user/nobody/starred')).statusCode).toBe(404)
    expect((await app.call('GET', '/user/ana/starred')).statusCode).toBe(401)
  })
})
