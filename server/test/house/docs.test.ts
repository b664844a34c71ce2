// The documentation: plain pages, made once, with nothing from outside.
import { describe, expect, it } from 'vitest'
import { testApp } from '../support/app.js'

const app = testApp()

const operationIds = async (): Promise<string[]> => {
  const { paths } = await app.http.app.description.document('http://localhost')
  return Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
}

describe('/api/v1/docs', () => {
  const addressesIn = (html: string) =>
    [...html.matchAll(/(?:src|href)="([^"#]+)[^"]*"/g)].map(([, address = '']) => address)

  it('is pages that take everything from this server, each with its purpose and its operations', async () => {
    const index = await app.page('GET', '/api/v1/docs')
    expect([index.statusCode, index.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(index.headers['content-security-policy']).toContain("script-src 'self'")
    const addresses = [...new Set(addressesIn(index.body))]
    expect(addresses.length).toBeGreaterThan(20)
    for (const address of addresses) {
      expect(address).toMatch(/^\//)
      const answer = await app.page('GET', address)
      expect(answer.statusCode, address).toBe(200)
    }
    expect((await app.page('GET', '/api/v1/docs/')).body).toBe(index.body)
    for (const id of await operationIds()) expect(index.body).toContain(`#${id}"`)
  })

  it('says what groups of parameters are for, and lists a comparison once', async () => {
    const { body } = await app.page('GET', '/api/v1/docs/data')
    expect(body).toContain('<h3>Filters</h3><p>Conditions that must all hold.')
    expect(body).toContain('<dt><code>date_created</code>')
    expect(body).not.toContain('<dt><code>date_created__year__gte</code>')
  })

  it('every group says in a line or two what it is for', async () => {
    const { tags } = await app.http.app.description.document('http://localhost')
    for (const { name, description } of tags) {
      expect(description.length, name).toBeGreaterThan(15)
      expect(description.length, name).toBeLessThan(240)
    }
  })

  it('404 for a group that is not there', async () => {
    const answer = await app.page('GET', '/api/v1/docs/nothing')
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  })

  it('is packed once for those who can unpack it', async () => {
    const answer = await app.page('GET', '/api/v1/docs/data', { headers: { 'accept-encoding': 'gzip' } })
    expect(answer.headers['content-encoding']).toBe('gzip')
    expect(answer.rawPayload.length).toBeLessThan(20_000)
  })
})
