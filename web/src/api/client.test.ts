import { afterEach, describe, expect, it, vi } from 'vitest'
import { careful, got } from './client'
import { ApiError } from './errors'

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
