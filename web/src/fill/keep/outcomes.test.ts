import { describe, expect, it } from 'vitest'
import { afterAnswer, afterSilence, noAnswer, outcomeOf, pauseOf, readAnswer, waitUntil } from './outcomes'
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
      const refused = afterAnswer(row, await answer(status, ours, body), false)
      expect(refused).toMatchObject({ state: 'refused', reason: { status, message: 'No <more>' }, isUncertain: false })
    }
  })

  it('0, 408, 429 and 5xx are tried again; after those that may have stored it, it stays uncertain', async () => {
    const after = async (status: number) => afterAnswer(row, await answer(status, ours), false, 0)
    expect(afterAnswer(row, noAnswer, false, 0)).toMatchObject({ state: 'waiting', tries: 1, isUncertain: true })
    expect(await after(503)).toMatchObject({ state: 'waiting', isUncertain: true })
    expect(await after(429)).toMatchObject({ state: 'waiting', isUncertain: false })
  })

  it('what may have arrived by an earlier attempt stays uncertain through every refusal but 409', async () => {
    const after = async (status: number) => afterAnswer(row, await answer(status, ours), true, 0).isUncertain
    for (const status of [400, 401, 403, 404, 405, 413, 415, 429, 503]) expect(await after(status)).toBe(true)
    expect(await after(409)).toBe(false)
  })

  it('where nobody could be asked nothing was posted: what was certain is', () => {
    const certain = { ...row, isUncertain: false }
    expect(afterSilence(certain, 0)).toMatchObject({ state: 'waiting', tries: 1, isUncertain: false })
    expect(afterSilence(row, 0)).toMatchObject({ isUncertain: true, reason: { status: 0 } })
  })

  it('401, 403 and 404 of a network or a proxy are no refusals, and say nothing of whether it arrived; its 413 is one', async () => {
    for (const status of [400, 401, 403, 404, 405, 409]) {
      const after = afterAnswer(row, await answer(status, {}, '<html>Sign in to this network</html>'), false, 0)
      expect(after).toMatchObject({ state: 'waiting', isUncertain: true, reason: { status, message: '' } })
    }
    expect(afterAnswer(row, await answer(413), false)).toMatchObject({ state: 'refused', isUncertain: false })
  })

  it('403 for the proof of another session is tried again', async () => {
    expect(outcomeOf(await answer(403, { ...ours, 'x-sheaf-csrf': 'stale' }))).toBe('again')
  })

  it('Retry-After holds whatever happens, in seconds and as a date', async () => {
    expect(afterAnswer(row, await answer(429, { 'retry-after': '120' }), false, 0)).toMatchObject({
      notBefore: 120_000,
    })
    const date = new Date(60_000).toUTCString()
    expect(afterAnswer(row, await answer(503, { 'retry-after': date }), false, 0)).toMatchObject({ notBefore: 60_000 })
    expect((await answer(503, { 'retry-after': 'soon' })).retryAfter).toBeUndefined()
  })

  it('nothing waits for longer than a day: a clock that was put right does not hold it back', async () => {
    const day = 86_400_000
    const year = await answer(429, { 'retry-after': String(365 * 86_400) })
    expect(afterAnswer(row, year, false, 0)).toMatchObject({ notBefore: day, nextAt: day })
    expect([waitUntil(5000, 0), waitUntil(0, 5000), waitUntil(day, 0), waitUntil(day + 1, 0)]).toEqual([
      5000,
      0,
      day,
      0,
    ])
  })

  it('pauses grow, and end at ten minutes', () => {
    expect([1, 2, 3, 4, 5, 6, 50].map((tries) => pauseOf(tries, 0.5) / 1000)).toEqual([5, 15, 45, 135, 405, 600, 600])
  })
})
