import { describe, expect, it } from 'vitest'
import { FormRefused, FormUnreachable, refusedBy } from './form-fetching'

const ours = { 'x-openrosa-version': '1.0' }
const refused = (status: number, headers: Record<string, string> = {}) =>
  refusedBy(new Response('', { status, headers }))

describe('why a form is not given', () => {
  it('429 and 5xx say that the server is busy, and for how long; where it says nothing, it is asked again soon', async () => {
    expect(await refused(429, { ...ours, 'retry-after': '120' })).toMatchObject({ busyFor: 120_000 })
    expect(await refused(503, { 'retry-after': '0' })).toMatchObject({ busyFor: 1000 })
    expect(await refused(503, { 'retry-after': '3000000' })).toMatchObject({ busyFor: 600_000 })
    for (const status of [500, 502, 503, 504]) {
      const why = await refused(status)
      expect(why).toBeInstanceOf(FormUnreachable)
      expect(why).toMatchObject({ busyFor: 10_000 })
    }
  })

  it('a network that wants to be signed in to is no busy server, and refuses nothing in its name', async () => {
    for (const status of [401, 403, 404, 511]) {
      const why = await refused(status)
      expect(why).toBeInstanceOf(FormUnreachable)
      expect(why).toMatchObject({ busyFor: undefined })
    }
    expect(await refused(404, ours)).toBeInstanceOf(FormRefused)
  })
})
