// The life of a temporary token: made by GET /user, ended by its time or by its owner.
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { acceptance, type Person } from './service.js'

/** Long enough to be used by a slow machine, short enough to be waited for. */
const shortSeconds = 5
const service = acceptance({ DEFAULT_TEMP_TOKEN_EXPIRY_TIME: String(shortSeconds) })
/** A server that was named has the default, or says otherwise. */
const lifetimeSeconds =
  process.env.ACCEPTANCE_URL === undefined ? shortSeconds : Number(process.env.ACCEPTANCE_TEMP_TOKEN_SECONDS ?? 21_600)

let ana: Person
let stranger: Person
let tempToken: string

const tempTokenOf = async ({ auth }: Person) =>
  (await service.call('GET', '/user', { auth })).read<{ temp_token: string }>().temp_token
const openWith = (token: string) => service.call('GET', '/user', { auth: `TempToken ${token}` })

beforeAll(async () => {
  stranger = await service.person('stranger')
})
beforeEach(async () => {
  ana = await service.person('ana')
  tempToken = await tempTokenOf(ana)
})

describe('an active temporary token', () => {
  it('200 opens its owner’s account, and GET /user repeats it', async () => {
    const answer = await openWith(tempToken)
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ username: ana.username, temp_token: tempToken }),
    ])
  })

  it('204 without a body when its owner ends it: 401 from then on, 400 for a second time, and a new one is another', async () => {
    const ended = await service.call('DELETE', '/user/expire', { auth: ana.auth })
    expect([ended.status, ended.text]).toEqual([204, ''])
    expect((await openWith(tempToken)).status).toBe(401)
    const again = await service.call('DELETE', '/user/expire', { auth: ana.auth })
    expect([again.status, again.body]).toEqual([400, { detail: 'Temporary token not found!' }])
    expect((await service.call('GET', '/user', { auth: ana.auth })).status).toBe(200)
    const next = await tempTokenOf(ana)
    expect(next).not.toBe(tempToken)
    expect((await openWith(next)).status).toBe(200)
    expect((await openWith(tempToken)).status).toBe(401)
  })

  it('204 ends itself', async () => {
    const auth = `TempToken ${tempToken}`
    expect((await service.call('DELETE', '/user/expire', { auth })).status).toBe(204)
    expect((await service.call('DELETE', '/user/expire', { auth })).status).toBe(401)
  })

  it('another user ends only their own; 401 for an anonymous caller', async () => {
    await tempTokenOf(stranger)
    expect((await service.call('DELETE', '/user/expire', { auth: stranger.auth })).status).toBe(204)
    expect((await service.call('DELETE', '/user/expire')).status).toBe(401)
    expect((await openWith(tempToken)).status).toBe(200)
  })

  it('lives for DEFAULT_TEMP_TOKEN_EXPIRY_TIME seconds; then 401, however often it was used, and GET /user gives a new one', async () => {
    if (lifetimeSeconds > 60) {
      // Nobody waits for six hours: a named server shows only that its tokens do not end early.
      expect((await openWith(tempToken)).body).toMatchObject({ temp_token: tempToken })
      return
    }
    // The one that the tests before have used may be over by now.
    const lasting = await tempTokenOf(ana)
    const expired = await vi.waitFor(
      async () => {
        const answer = await openWith(lasting)
        if (answer.status === 200) throw new Error(`The token outlives its ${lifetimeSeconds} seconds`)
        return answer
      },
      { timeout: (lifetimeSeconds + 10) * 1000, interval: 100 },
    )
    expect([expired.status, expired.body]).toEqual([401, { detail: 'Token expired' }])
    const next = await tempTokenOf(ana)
    expect(next).not.toBe(lasting)
    expect((await openWith(next)).status).toBe(200)
  })
})
