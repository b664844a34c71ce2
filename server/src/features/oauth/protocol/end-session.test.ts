import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import { newClient, newTokens, type OAuthClient, Visitor } from '../../../../test/support/oauth.js'
import { budgets } from '../../../budgets.js'

const app = testApp()
let ana: Account
let client: OAuthClient
let hint: string

const wayOut = 'https://client.example.org/bye'

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  client = await newClient(app, ana, { post_logout_redirect_uris: wayOut })
  const tokens = await newTokens(app, ana, client, { scope: 'read openid' })
  hint = tokens.id_token ?? ''
})

const signedIn = async () => {
  const browser = new Visitor(app)
  await browser.signIn(ana)
  return browser
}
const isSignedIn = async (browser: Visitor) => (await browser.open('/o/applications/')).statusCode === 200
const address = (fields: Record<string, string>) => `/o/end_session?${new URLSearchParams(fields)}`

describe('/o/end_session', () => {
  it('is in the description that programs read', async () => {
    const found = (await app.page('GET', '/.well-known/openid-configuration')).json()
    expect(found.end_session_endpoint).toMatch(/\/o\/end_session$/)
  })

  it.each([
    ['an ID token', () => ({ id_token_hint: hint })],
    ['the client’s name', () => ({ client_id: client.client_id })],
  ])('200 with a page that asks, by %s; then signed out, and back at the client with its state', async (_what, who) => {
    const browser = await signedIn()
    const page = await browser.open(address({ ...who(), post_logout_redirect_uri: wayOut, state: 'x y' }))
    expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining('Sign out?')])
    expect(page.body).toContain('Field map')
    expect(page.headers['content-security-policy']).toContain("form-action 'self' https:;")
    expect(await isSignedIn(browser)).toBe(true)
    const answer = await browser.submit(page, '/accounts/logout/', {})
    expect([answer.statusCode, answer.headers.location]).toEqual([302, `${wayOut}?state=x+y`])
    expect(await isSignedIn(browser)).toBe(false)
  })

  it('nothing ends without the answer of the person: not by opening it, not by a form of another site', async () => {
    const browser = await signedIn()
    await browser.open(address({ id_token_hint: hint }))
    const posted = await browser.open('/o/end_session', { id_token_hint: hint, state: 'x' })
    expect([posted.statusCode, posted.headers.location]).toEqual([
      303,
      `/o/end_session?${new URLSearchParams({ id_token_hint: hint, state: 'x' })}`,
    ])
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const forged = await app.page('POST', '/accounts/logout/', {
      headers: { cookie, origin: 'https://evil.example' },
      form: { way_out: wayOut },
    })
    expect(forged.statusCode).toBe(403)
    expect(await isSignedIn(browser)).toBe(true)
  })

  it('leads nowhere that the client has not registered: 400 there, the sign-in page for an answer that was changed', async () => {
    const browser = await signedIn()
    const evil = 'https://evil.example/'
    const refused = await browser.open(address({ client_id: client.client_id, post_logout_redirect_uri: evil }))
    expect([refused.statusCode, refused.headers.location]).toEqual([400, undefined])
    const nameless = await browser.open(address({ post_logout_redirect_uri: evil }))
    expect(nameless.body).not.toContain('evil')
    const page = await browser.open(address({ id_token_hint: hint, post_logout_redirect_uri: wayOut }))
    const answer = await browser.submit(page, '/accounts/logout/', { way_out: evil })
    expect([answer.statusCode, answer.headers.location]).toEqual([302, '/accounts/login/'])
  })

  it('302 at once for whoever is not signed in: back to the client, or to the sign-in page', async () => {
    const browser = new Visitor(app)
    const back = await browser.open(address({ id_token_hint: hint, post_logout_redirect_uri: wayOut, state: 's' }))
    expect([back.statusCode, back.headers.location]).toEqual([302, `${wayOut}?state=s`])
    const none = await browser.open('/o/end_session')
    expect([none.statusCode, none.headers.location]).toEqual([302, '/accounts/login/'])
  })

  it('by a form goes on in an address of up to budgets.signIn.addressCharacters; 400 in words for one more', async () => {
    const browser = await signedIn()
    const most = budgets.signIn.addressCharacters - 'state='.length
    const taken = await browser.open('/o/end_session', { state: 'x'.repeat(most) })
    expect([taken.statusCode, taken.headers.location?.length]).toEqual([303, '/o/end_session?state='.length + most])
    const refused = await browser.open('/o/end_session', { state: 'x'.repeat(most + 1) })
    expect([refused.statusCode, refused.headers.location]).toEqual([400, undefined])
    expect(refused.body).toContain('longer than 12000 characters')
  })

  it('400 for a token that is none of ours, and for a client that there is not', async () => {
    const browser = await signedIn()
    for (const fields of [
      { id_token_hint: 'x.y.z' },
      { id_token_hint: `${hint.slice(0, -8)}AAAAAAAA` },
      { client_id: 'x' },
    ])
      expect((await browser.open(address(fields))).statusCode).toBe(400)
    expect(await isSignedIn(browser)).toBe(true)
  })
})
