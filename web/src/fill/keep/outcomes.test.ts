import { describe, expect, it } from 'vitest'
import { afterAnswer, noAnswer, outcomeOf, pauseOf, readAnswer } from './outcomes'
import type { Filled } from './types'

const row = { id: 'a', state: 'waiting', tries: 0, nextAt: 0, notBefore: 0, isUncertain: true } as Filled
const answer = (status: number, headers: Record<string, string> = {}, body = '') =>
  readAnswer(new Response(status === 204 ? null : body, { status, headers }), 0)
const ours = { 'x-openrosa-version': '1.0' }

describe('an answer to what was sent', () => {
  it('201 and 202 of this server alone end the waiting; a network that answers for it does not', async () => {
    expect(outcomeOf(await answer(201, ours))).toBe('stored')
    expect(outcomeOf(await answer(202, ours))).toBe('stored')
    for (const status of [200, 201, 202, 204]) expect(outcomeOf(await answer(status))).toBe('again')
  })

  it('401 asks to sign in; 400, 403, 404, 405, 409, 413 and 415 are refusals with the words of the server', async () => {
    expect(outcomeOf(await answer(401, ours))).toBe('unsigned')
    for (const status of [400, 403, 404, 405, 409, 413, 415]) {
      const body = '<OpenRosaResponse><message nature="">No &lt;more&gt;</message></OpenRosaResponse>'
      const refused = afterAnswer(row, await answer(status, ours, body))
      expect(refused).toMatchObject({ state: 'refused', reason: { status, message: 'No <more>' }, isUncertain: false })
    }
  })

  it('0, 408, 429 and 5xx are tried again; after those that may have stored it, it stays uncertain', async () => {
    expect(afterAnswer(row, noAnswer, 0)).toMatchObject({ state: 'waiting', tries: 1, isUncertain: true })
    expect(afterAnswer(row, await answer(503, ours), 0)).toMatchObject({ state: 'waiting', isUncertain: true })
    expect(afterAnswer(row, await answer(429, ours), 0)).toMatchObject({ state: 'waiting', isUncertain: false })
  })

  it('403 for the proof of another session is tried again', async () => {
    expect(outcomeOf(await answer(403, { ...ours, 'x-sheaf-csrf': 'stale' }))).toBe('again')
  })

  it('Retry-After holds whatever happens, in seconds and as a date', async () => {
    expect(afterAnswer(row, await answer(429, { 'retry-after': '120' }), 0)).toMatchObject({ notBefore: 120_000 })
    const date = new Date(60_000).toUTCString()
    expect(afterAnswer(row, await answer(503, { 'retry-after': date }), 0)).toMatchObject({ notBefore: 60_000 })
    expect((await answer(503, { 'retry-after': 'soon' })).retryAfter).toBeUndefined()
  })

  it('pauses grow, and end at ten minutes', () => {
    expect([1, 2, 3, 4, 5, 6, 50].map((tries) => pauseOf(tries, 0.5) / 1000)).toEqual([5, 15, 45, 135, 405, 600, 600])
  })
})
