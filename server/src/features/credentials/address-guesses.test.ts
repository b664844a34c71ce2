// Who has an account under an e-mail address: every way to ask is levelled or counted, all of them together.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { newProject } from '../../../test/support/projects.js'
import { budgets } from '../../budgets.js'
import { AppError } from '../../platform/http/index.js'
import { limitGuesses, limitRegistrations } from './address-limit.js'

const most = 5
const app = testApp({ CREDENTIAL_REQUESTS_PER_ADDRESS: String(most) })
let ana: Account
let victim: Account

beforeAll(async () => {
  ana = await app.account()
  victim = await app.account()
})

let made = 0
const nobody = () => `nobody${++made}@example.net`

/** Every way to learn whether an address has an account. */
const ways: Record<string, (email: string, from: string) => Promise<{ statusCode: number; body: string }>> = {
  registration: (email, from) =>
    app.call('POST', '/profiles', { body: { username: `u${++made}`, email, first_name: 'U', password: 'x' }, from }),
  'a username': (email, from) =>
    app.call('POST', '/profiles', { body: { username: email, email: nobody(), first_name: 'U', password: 'x' }, from }),
  'an own address': (email, from) =>
    app.as(ana)('PATCH', `/profiles/${ana.username}`, { body: { email, password: 'wrong' }, from }),
  'an organization': (email, from) => app.as(ana)('POST', '/orgs', { body: { org: email, name: '' }, from }),
}

describe('asking whether an address has an account', () => {
  it.each(Object.keys(ways))('429 past the guesses of one network, by %s', async (way) => {
    const from = `10.2.${++made}.1`
    const ask = ways[way] as (typeof ways)[string]
    for (let i = 0; i < most; i++) expect((await ask(i % 2 ? nobody() : victim.email, from)).statusCode).toBe(400)
    const refused = await Promise.all([ask(victim.email, from), ask(nobody(), from)])
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([429, 429])
    expect(refused[0]?.body).toBe(refused[1]?.body)
    expect((await ask(victim.email, `10.2.${made}.2`)).statusCode).toBe(400)
  })

  it('429 for invitations too: the ways count together', async () => {
    const from = '10.3.0.1'
    const project = await newProject(app, ana)
    const invite = (email: string) =>
      app.as(ana)('POST', `/projects/${project}/invitations`, { body: { email, role: 'readonly' }, from })
    for (let i = 1; i < most; i++) expect((await ways.registration?.(victim.email, from))?.statusCode).toBe(400)
    expect((await invite(victim.email)).json()).toEqual({ email: ['User already exists'] })
    expect((await invite(victim.email)).statusCode).toBe(429)
    expect((await invite(nobody())).statusCode).toBe(429)
  })

  it('exact when many guess at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 * most }, () => ways.registration?.(victim.email, '10.4.0.1')),
    )
    expect(answers.filter((answer) => answer?.statusCode === 400)).toHaveLength(most)
  })

  it('201 for as many accounts as people make: only what was refused counts', async () => {
    for (let i = 0; i < 2 * most; i++) {
      const body = { username: `fine${i}`, email: nobody(), first_name: 'F', password: 'correct horse' }
      expect((await app.call('POST', '/profiles', { body, from: '10.5.0.1' })).statusCode).toBe(201)
    }
  })

  it('counts what was refused as wrong alone: a database that was away says nothing about it', async () => {
    const from = `10.2.${++made}.1`
    const request = { ip: from } as Parameters<typeof limitGuesses>[2]
    const away = () => limitGuesses(app.deps, 'test', request, () => Promise.reject(new Error('away')))
    for (let turn = 0; turn <= most; turn++) await expect(away()).rejects.toThrow('away')
    const wrong = () =>
      limitGuesses(app.deps, 'test', request, () =>
        Promise.reject(new AppError({ code: 'test.wrong', status: 400, message: 'wrong' })),
      )
    for (let turn = 0; turn < most; turn++) await expect(wrong()).rejects.toThrow('wrong')
    await expect(wrong()).rejects.toMatchObject({ status: 429 })
  })

  it('the same answer at reset for every address', async () => {
    const reset = (email: string) =>
      app.call('POST', '/user/reset', { body: { email, reset_url: 'http://localhost/' }, from: '10.6.0.1' })
    const [known, unknown] = [await reset(victim.email), await reset(nobody())]
    expect([known.statusCode, known.body]).toEqual([unknown.statusCode, unknown.body])
  })
})

describe('registrations of one network', () => {
  it('429 past the last of them', async () => {
    const request = { ip: '10.7.0.1' } as never
    const all = Array.from({ length: budgets.accounts.registrations }, () => limitRegistrations(app.deps, request))
    await Promise.all(all)
    const body = { username: 'late', email: nobody(), first_name: 'L', password: 'correct horse' }
    const refused = await app.call('POST', '/profiles', { body, from: '10.7.0.1' })
    expect([refused.statusCode, Number(refused.headers['retry-after']) > 800]).toEqual([429, true])
    app.wait(901)
    expect((await app.call('POST', '/profiles', { body, from: '10.7.0.1' })).statusCode).toBe(201)
  })
})
