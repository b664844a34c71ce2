import { beforeEach, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'

const app = testApp()
let ana: Account

beforeEach(async () => {
  ana = await app.account()
})

const change = (account: Account, form: Record<string, string>, stem = 'profile') =>
  app.as(account)('POST', `/${stem}/${account.username}/change_password`, { form })

describe('POST /profile/{username}/change_password', () => {
  it.each(['profile', 'profiles'])(
    '200 form-encoded under /%s: username and two new tokens; the old ones are dead at once',
    async (stem) => {
      const { temp_token: oldTemp } = (await app.as(ana)('GET', '/user')).json()
      const response = await change(ana, { current_password: ana.password, new_password: 'new one' }, stem)
      expect([response.statusCode, response.json()]).toEqual([
        200,
        {
          username: ana.username,
          access_token: expect.stringMatching(/^[0-9a-f]{40}$/),
          temp_token: expect.stringMatching(/^[0-9a-f]{40}$/),
        },
      ])
      const { access_token: apiToken, temp_token: temp } = response.json()
      const status = async (authorization: string) =>
        (await app.call('GET', '/user', { headers: { authorization } })).statusCode
      expect(await status(`Token ${ana.apiToken}`)).toBe(401)
      expect(await status(`TempToken ${oldTemp}`)).toBe(401)
      expect(await status(`Token ${apiToken}`)).toBe(200)
      expect(await status(`TempToken ${temp}`)).toBe(200)
      expect((await app.basic(ana.username, ana.password)('GET', '/user')).statusCode).toBe(401)
      expect((await app.basic(ana.username, 'new one')('GET', '/user')).statusCode).toBe(200)
    },
  )

  it('a mail tells the account', async () => {
    await change(ana, { current_password: ana.password, new_password: 'new one' })
    expect((await app.mailsTo(ana.email)).map(({ subject }) => subject)).toEqual(['Your password was changed'])
  })

  it.each([{}, { current_password: 'x' }, { new_password: 'x' }, { current_password: '', new_password: '' }])(
    '400 when a field is missing or blank: %j',
    async (form) => {
      const response = await change(ana, form as Record<string, string>)
      expect([response.statusCode, response.json()]).toEqual([
        400,
        { error: 'current_password and new_password fields cannot be blank' },
      ])
    },
  )

  it('400 counts wrong passwords down from ten, then locks for 30 minutes, then opens again', async () => {
    const wrong = { current_password: 'wrong', new_password: 'new one' }
    expect((await change(ana, wrong)).json()).toEqual({ error: 'Invalid password. You have 9 attempts left.' })
    for (let i = 0; i < 8; i++) await change(ana, wrong)
    const locked = { error: 'Too many password reset attempts. Try again in 30 minutes' }
    expect((await change(ana, wrong)).json()).toEqual(locked)
    const right = { current_password: ana.password, new_password: 'new one' }
    expect((await change(ana, right)).json()).toEqual(locked)
    app.wait(1801)
    expect((await change(ana, right)).statusCode).toBe(200)
  })

  it('a success starts the count anew', async () => {
    for (let i = 0; i < 5; i++) await change(ana, { current_password: 'wrong', new_password: 'x' })
    const { access_token: apiToken } = (
      await change(ana, { current_password: ana.password, new_password: 'second' })
    ).json()
    const response = await change({ ...ana, apiToken }, { current_password: 'wrong', new_password: 'x' })
    expect(response.json()).toEqual({ error: 'Invalid password. You have 9 attempts left.' })
  })

  it('400 for the current password and for the last five before it; the sixth is free again', async () => {
    const reused = { errors: ['You cannot use a previously used password.'] }
    let { apiToken } = ana
    let current = ana.password
    const next = async (password: string) => {
      const response = await change({ ...ana, apiToken }, { current_password: current, new_password: password })
      if (response.statusCode === 200) {
        apiToken = response.json().access_token
        current = password
      }
      return response.json()
    }
    expect(await next(ana.password)).toEqual(reused)
    for (const password of ['two', 'three', 'four', 'five', 'six!'].map((word) => `${word} words`)) await next(password)
    expect(await next(ana.password)).toEqual(reused)
    await next('seven words')
    expect(await next(ana.password)).toMatchObject({ username: ana.username })
  })

  it.each([
    ['abc', 'This password is too short. It must contain at least 4 characters.'],
    ['x'.repeat(129), 'This password is too long. It must contain at most 128 characters.'],
  ])('400 for a password out of bounds', async (new_password, message) => {
    const response = await change(ana, { current_password: ana.password, new_password })
    expect([response.statusCode, response.json()]).toEqual([400, { errors: [message] }])
  })

  it('403 for another user, 401 for an anonymous caller, 404 for a missing account; nothing changes', async () => {
    const ben = await app.account()
    const form = { current_password: ana.password, new_password: 'new one' }
    expect((await app.as(ben)('POST', `/profile/${ana.username}/change_password`, { form })).statusCode).toBe(403)
    expect((await app.call('POST', `/profile/${ana.username}/change_password`, { form })).statusCode).toBe(401)
    expect((await app.as(ben)('POST', '/profile/nobody/change_password', { form })).statusCode).toBe(404)
    expect((await app.basic(ana.username, ana.password)('GET', '/user')).statusCode).toBe(200)
  })

  it('of three changes at once with one current password, one succeeds', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map((n) => change(ana, { current_password: ana.password, new_password: `number ${n}` })),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  })

  it('meeting resets and changes of address of the same account, nothing fails on our side', async () => {
    const statuses: number[] = []
    for (let round = 0; round < 3; round++) {
      const account = await app.account()
      await app.call('POST', '/user/reset', {
        body: { email: account.email, reset_url: 'http://localhost' },
        from: `10.9.0.${round}`,
      })
      const { uid, token } = Object.fromEntries((await app.mailsTo(account.email)).at(-1)?.link?.searchParams ?? [])
      const answers = await Promise.all([
        change(account, { current_password: account.password, new_password: 'one two three' }),
        app.call('POST', '/user/reset', { body: { uid, token, new_password: 'four five six' } }),
        app.as(account)('PATCH', `/profiles/${account.username}`, {
          body: { email: `x${account.email}`, password: account.password },
        }),
        app.as(account)('GET', '/user/regenerate_auth_token'),
      ])
      statuses.push(...answers.map(({ statusCode }) => statusCode))
    }
    expect(statuses.filter((status) => status >= 500)).toEqual([])
  })

  it('403 for a stranger before anything is said about the body', async () => {
    const ben = await app.account()
    const response = await app.as(ben)('POST', `/profile/${ana.username}/change_password`, {
      body: { new_password: [] },
    })
    expect(response.statusCode).toBe(403)
  })
})
