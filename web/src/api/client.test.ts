import { afterEach, describe, expect, it, vi } from 'vitest'
import { careful, got } from './client'
import { ApiError } from './errors'
import { isAskedToSignIn, signIn } from './session'

afterEach(() => vi.unstubAllGlobals())

/** What a person is told when a call is answered so. */
const told = async (method: string, status: number): Promise<ApiError> => {
  vi.stubGlobal('location', { href: 'https://sheaf.example/' })
  vi.stubGlobal('fetch', async () => new Response('<html>Bad gateway</html>', { status }))
  const answered = careful('/api/v1/projects', { method }).then((response) => ({ response, error: '<html>' }))
  const thrown = await got(answered).catch((error: unknown) => error)
  expect(thrown).toBeInstanceOf(ApiError)
  return thrown as ApiError
}

describe('what stands before the server gives up on a call', () => {
  it.each([
    ['POST', 502],
    ['PUT', 502],
    ['PATCH', 504],
    ['DELETE', 504],
  ])(
    '%s, %i: it may have been done, so nobody is told to try again before they have looked',
    async (method, status) => {
      const error = await told(method, status)
      expect(error).toMatchObject({ kind: 'slow', status })
      expect(error.message).toMatch(/not known whether this was done: look before you try again/)
    },
  )

  it.each([
    ['GET', 502],
    ['GET', 504],
  ])('%s, %i: what only reads can be asked again', async (method, status) => {
    expect((await told(method, status)).message).toMatch(/[Tt]ry again in a moment/)
  })

  it('500 and 503 are answers of the server itself: it was not done', async () => {
    expect((await told('POST', 500)).message).toMatch(/try again in a moment/)
    expect((await told('POST', 503)).kind).toBe('busy')
  })
})

it('an answer that was on its way while somebody signed in again is repeated, and they are not asked twice', async () => {
  const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })
  const credentials = { username: 'ana', password: 'a', stay: false }
  let proofs = 0
  const saved: (string | null)[] = []
  let nobody: (answer: Response) => void = () => undefined
  vi.stubGlobal('location', { href: 'https://sheaf.example/' })
  vi.stubGlobal('fetch', async (input: Request | string, init?: RequestInit) => {
    if (typeof input === 'string') {
      if (init?.method === 'POST') return json({ username: 'ana', csrf: `proof ${++proofs}`, expires: '' })
      return new Promise<Response>((resolve) => {
        nobody = resolve
      })
    }
    saved.push(input.headers.get('x-sheaf-csrf'))
    return json({}, saved.length === 1 ? 401 : 201)
  })
  await signIn(credentials)
  const answered = careful('/api/v1/projects', { method: 'POST' })
  await vi.waitFor(() => expect(saved).toEqual(['proof 1']))
  // Who is signed in was asked before they signed in again, and is answered after it.
  await signIn(credentials)
  await new Promise((resolve) => setImmediate(resolve))
  nobody(json(null))
  expect((await answered).status).toBe(201)
  expect([saved, isAskedToSignIn.value]).toEqual([['proof 1', 'proof 2'], false])
})
