import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { newOperator } from '../../../test/support/operators.js'
import { newOrganization } from '../../../test/support/projects.js'

const app = testApp()
let operator: Account
let ana: Account

beforeAll(async () => {
  operator = await newOperator(app, { username: 'opera' })
  ana = await app.account({ username: 'ana', first_name: 'Ana', last_name: 'Silva', email: 'a.silva@example.org' })
  await app.account({ username: 'ben', first_name: 'Ben', last_name: 'Otieno' })
})

const list = (query: Record<string, string> = {}) => app.as(operator)('GET', '/server/people', { query })
const names = async (query: Record<string, string> = {}) =>
  (await list(query)).json().map(({ username }: { username: string }) => username)
const change = (who: string, isActive: unknown) =>
  app.as(operator)('PATCH', `/server/people/${who}`, { body: { is_active: isActive } })

describe('GET /server/people', () => {
  it('200 lists people and no organization, by username, with what an operator needs and nothing of their profile', async () => {
    await newOrganization(app, ana)
    const answer = await list()
    expect([answer.statusCode, answer.headers['x-total-count']]).toEqual([200, '3'])
    expect(await names()).toEqual(['ana', 'ben', 'opera'])
    expect(answer.json()[0]).toEqual({
      id: ana.id,
      username: 'ana',
      name: 'Ana Silva',
      email: 'a.silva@example.org',
      is_active: true,
      is_operator: false,
      joined_at: expect.stringMatching(/Z$/),
      last_sign_in_at: null,
    })
    expect(answer.json()[2].is_operator).toBe(true)
  })

  it.each([
    ['AN', ['ana']],
    ['silva', ['ana']],
    ['ben otieno', ['ben']],
    ['a.silva@', ['ana']],
    ['%', []],
    ['', ['ana', 'ben', 'opera']],
  ])('finds a part of a username, a name or an address, whatever it holds: %j', async (search, found) => {
    expect(await names({ search })).toEqual(found)
  })

  it('pages, with links and the total; 404 beyond the last page', async () => {
    const answer = await list({ page: '2', page_size: '2' })
    expect(answer.json()).toHaveLength(1)
    expect(answer.headers['x-total-count']).toBe('3')
    expect(answer.headers.link).toContain('rel="prev"')
    expect((await list({ page: '9' })).statusCode).toBe(404)
  })

  it('says when somebody last signed in on a page', async () => {
    const page = await app.page('GET', '/accounts/login/')
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
    const cookie = [page.headers['set-cookie']]
      .flat()
      .map((one) => String(one).split(';')[0])
      .join('; ')
    const signedIn = await app.page('POST', '/accounts/login/', {
      form: { username: 'ana', password: ana.password, csrf },
      headers: { cookie },
    })
    expect(signedIn.statusCode).toBe(302)
    const [{ last_sign_in_at: at }] = (await list({ search: 'ana' })).json()
    expect(Date.now() - Date.parse(at)).toBeLessThan(60_000)
  })
})

describe('PATCH /server/people/{username}', () => {
  it('200 closes an account and opens it again', async () => {
    const closed = await change('ANA', false)
    expect([closed.statusCode, closed.json().is_active]).toEqual([200, false])
    expect((await app.as(ana)('GET', '/user')).statusCode).toBe(401)
    expect(await names({ is_active: 'false' })).toEqual(['ana'])
    expect(await names({ is_active: 'true' })).toEqual(['ben', 'opera'])
    expect((await change(String(ana.id), true)).json().is_active).toBe(true)
    expect((await app.as(ana)('GET', '/user')).statusCode).toBe(200)
  })

  it('400 for oneself: an operator who may sign in is always left', async () => {
    expect((await change('opera', false)).statusCode).toBe(400)
    expect((await app.as(operator)('GET', '/server')).statusCode).toBe(200)
  })

  it('400 for what is no answer, and 404 for nobody and for an organization', async () => {
    expect((await change('ana', 'perhaps')).json()).toHaveProperty('is_active')
    expect((await app.as(operator)('PATCH', '/server/people/ana', { body: {} })).statusCode).toBe(400)
    const org = await newOrganization(app, ana)
    for (const who of ['nobody', '2147483647', '99999999999', org]) {
      expect((await change(who, false)).statusCode).toBe(404)
    }
  })

  it('makes nobody an operator: that is done at a terminal', async () => {
    await app.as(operator)('PATCH', '/server/people/ben', { body: { is_active: true, is_operator: true } })
    expect((await list({ search: 'ben' })).json()[0].is_operator).toBe(false)
  })
})

describe('POST /server/people/{username}/reset', () => {
  const reset = (who: string, body: object = { reset_url: 'http://localhost:3000/reset' }) =>
    app.as(operator)('POST', `/server/people/${who}/reset`, { body })

  it('204 sends the link to the person’s address, and its token sets a new password', async () => {
    expect((await reset('ana')).statusCode).toBe(204)
    const mail = (await app.mailsTo(ana.email)).at(-1)
    const { uid, token } = Object.fromEntries(mail?.link?.searchParams ?? [])
    const set = await app.call('POST', '/user/reset', { body: { uid, token, new_password: 'another horse' } })
    expect([set.statusCode, set.json()]).toEqual([200, { username: 'ana' }])
  })

  it('400 for an address that mails may not lead to', async () => {
    expect((await reset('ana', { reset_url: 'https://evil.example.com/' })).json()).toHaveProperty('reset_url')
  })

  it('204 without an address: the link leads to the page of this server', async () => {
    const somebody = await app.account()
    expect((await reset(somebody.username, {})).statusCode).toBe(204)
    const [mail] = await app.mailsTo(somebody.email)
    expect([mail?.link?.host, mail?.link?.pathname]).toEqual(['127.0.0.1:8080', '/reset'])
  })

  it('404 for nobody, 409 for a closed account', async () => {
    expect((await reset('nobody')).statusCode).toBe(404)
    await change('ben', false)
    expect((await reset('ben')).statusCode).toBe(409)
  })

  it('429 beyond the mails that an address may get', async () => {
    const somebody = await app.account()
    const statuses: number[] = []
    for (let at = 0; at < 4; at++) statuses.push((await reset(somebody.username)).statusCode)
    expect(statuses).toEqual([204, 204, 204, 429])
    expect(await app.mailsTo(somebody.email)).toHaveLength(3)
  })
})
