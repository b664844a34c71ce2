import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'

const body = (username: string) => ({
  username,
  email: `${username}@example.org`,
  first_name: 'A',
  password: 'longenough',
})

describe('DISABLE_CREATING_USERS', () => {
  const app = testApp({ DISABLE_CREATING_USERS: 'true' })
  it('403 for every registration, valid or not', async () => {
    for (const one of [body('ana'), {}]) {
      const response = await app.call('POST', '/profiles', { body: one })
      expect([response.statusCode, response.json()]).toEqual([
        403,
        { detail: 'You do not have permission to create user.' },
      ])
    }
  })
})

describe('AUTO_ACTIVATE_NEW_USERS=false, REQUIRE_AUTH_BY_DEFAULT and PASSWORD_MIN_LENGTH', () => {
  const app = testApp({ AUTO_ACTIVATE_NEW_USERS: 'false', REQUIRE_AUTH_BY_DEFAULT: 'true', PASSWORD_MIN_LENGTH: '9' })
  it('201 for an account that cannot sign in until it is activated, with require_auth set', async () => {
    const response = await app.call('POST', '/profiles', { body: body('ana') })
    expect([response.statusCode, response.json().require_auth]).toEqual([201, true])
    expect((await app.basic('ana', 'longenough')('GET', '/user')).statusCode).toBe(401)
  })
  it('400 for a password that is shorter than the setting', async () => {
    const response = await app.call('POST', '/profiles', { body: { ...body('ben'), password: '12345678' } })
    expect(response.json()).toEqual({ password: ['Ensure this field has at least 9 characters.'] })
  })
})
