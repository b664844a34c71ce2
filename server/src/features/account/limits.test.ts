// The limits of passwords and resets, each at another value than its default.
import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'

const app = testApp({
  MAX_LOGIN_ATTEMPTS: '2',
  MAX_CHANGE_PASSWORD_ATTEMPTS: '2',
  MAX_PASSWORD_RESET_ATTEMPTS: '1',
  PASSWORD_RESET_ATTEMPT_WINDOW: '60',
  PASSWORD_RESET_TOKEN_LIFETIME: '120',
})

const ask = (email: string) => app.call('POST', '/user/reset', { body: { email, reset_url: 'http://localhost/r' } })

describe('settings', () => {
  it('MAX_LOGIN_ATTEMPTS: the second wrong password locks', async () => {
    const ana = await app.account()
    const attempt = () => app.basic(ana.username, 'wrong')('GET', '/user', { from: '10.6.0.1' })
    expect((await attempt()).json().detail).toBe('Invalid username/password.')
    expect((await attempt()).json().detail).toMatch(/^Locked out/)
  })

  it('MAX_CHANGE_PASSWORD_ATTEMPTS: one is left after the first, none after the second', async () => {
    const ana = await app.account()
    const form = { current_password: 'wrong', new_password: 'new one' }
    const change = async () => (await app.as(ana)('POST', `/profile/${ana.username}/change_password`, { form })).json()
    expect(await change()).toEqual({ error: 'Invalid password. You have 1 attempts left.' })
    expect((await change()).error).toMatch(/^Too many password reset attempts/)
  })

  it('MAX_PASSWORD_RESET_ATTEMPTS in PASSWORD_RESET_ATTEMPT_WINDOW: one mail a minute', async () => {
    const ana = await app.account()
    for (let i = 0; i < 3; i++) await ask(ana.email)
    expect(await app.mailsTo(ana.email)).toHaveLength(1)
    app.wait(61)
    await ask(ana.email)
    expect(await app.mailsTo(ana.email)).toHaveLength(2)
  })

  it('PASSWORD_RESET_TOKEN_LIFETIME: the link works for two minutes', async () => {
    const ana = await app.account()
    await ask(ana.email)
    const { uid, token } = Object.fromEntries((await app.mailsTo(ana.email)).at(-1)?.link?.searchParams ?? [])
    const set = () => app.call('POST', '/user/reset', { body: { uid, token, new_password: 'abcd' } })
    app.wait(121)
    expect((await set()).json()).toEqual({ non_field_errors: ['Invalid token'] })
  })
})
