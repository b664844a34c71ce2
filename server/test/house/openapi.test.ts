import { describe, expect, it } from 'vitest'
import { testApp } from '../support/app.js'

const app = testApp()

interface Operation {
  operationId: string
  summary: string
  security?: object[]
  requestBody?: { content: Record<string, unknown> }
  responses: Record<string, { content?: Record<string, { schema: { examples?: unknown[] } }> }>
}
interface Description {
  openapi: string
  paths: Record<string, Record<string, Operation>>
}

const description = async (): Promise<Description> => (await app.call('GET', '/openapi.json')).json()

describe('/api/v1/openapi.json', () => {
  it('is OpenAPI 3.1, for anybody', async () => {
    const { openapi, paths } = await description()
    expect(openapi).toBe('3.1.0')
    expect(paths['/api/v1/profiles/{username}']).toHaveProperty('patch.operationId', 'profile.patch')
  })

  it('shows the same bounds that validate, examples, error answers, bodies in every encoding, and who may call', async () => {
    const { paths } = await description()
    const register = paths['/api/v1/profiles']?.post
    expect(Object.keys(register?.requestBody?.content ?? {})).toEqual([
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
    ])
    expect(register?.requestBody?.content['application/json']).toMatchObject({
      schema: { required: ['username', 'email'], properties: { username: { minLength: 3, maxLength: 30 } } },
    })
    expect(Object.keys(register?.responses ?? {})).toEqual(
      expect.arrayContaining(['201', '400', '401', '403', '413', '415']),
    )
    expect(register?.security).toContainEqual({})
    expect(paths['/api/v1/user']?.get?.security).not.toContainEqual({})
    expect(JSON.stringify(paths)).not.toContain('x-messages')
  })

  it('every answer with JSON has an example or a schema that speaks for itself', async () => {
    const { paths } = await description()
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
    const withoutResponses = operations.filter(({ responses }) => Object.keys(responses).length === 0)
    expect(withoutResponses).toEqual([])
    const ids = operations.map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('/api/v1/docs', () => {
  it('is a page that takes everything from this server', async () => {
    const response = await app.page('GET', '/api/v1/docs')
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(response.headers['content-security-policy']).toContain("script-src 'self'")
    const addresses = [...response.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address)
    expect(addresses.length).toBeGreaterThan(3)
    for (const address of addresses) {
      expect(address).toMatch(/^\/api\/v1\/docs\/static\//)
      expect((await app.page('GET', address)).statusCode).toBe(200)
    }
  })
})
