// Every route says what it is: a name, who may call it, what it takes and gives, and words for people.
import { Ajv } from 'ajv'
import { beforeAll, describe, expect, it } from 'vitest'
import { Redirect, RedirectInWords, type RouteEntry } from '../../src/platform/http/index.js'
import { validatorOf } from '../../src/platform/http/validation.js'
import { testApp } from '../support/app.js'

const app = testApp()
let routes: RouteEntry[]

beforeAll(() => {
  routes = app.http.routes.entries.filter(({ method, route }) => method !== 'HEAD' && !route.schema?.hide)
})

interface Schema {
  type?: string | string[]
  enum?: unknown
  pattern?: string
  maxLength?: number
  maxItems?: number
  properties?: Record<string, Schema>
  anyOf?: Schema[]
}

const unboundedIn = (schema: Schema | undefined, path: string): string[] => {
  if (schema === undefined) return []
  const isFixed = schema.enum !== undefined || schema.pattern !== undefined
  const isA = (type: string) => [schema.type].flat().includes(type)
  const isLoose =
    (isA('string') && schema.maxLength === undefined && !isFixed) || (isA('array') && schema.maxItems === undefined)
  return [
    ...(isLoose ? [path] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => unboundedIn(inner, `${path}.${key}`)),
    ...(schema.anyOf ?? []).flatMap((inner) => unboundedIn(inner, path)),
  ]
}

const where = (entries: RouteEntry[]) => entries.map(({ method, url }) => `${method} ${url}`)

describe('every route', () => {
  it('is in the table', () => {
    expect(routes.length).toBeGreaterThanOrEqual(20)
  })

  it('has a dotted operation name of its own', () => {
    expect(where(routes.filter(({ operation }) => !/^[a-z_]+(\.[a-z_]+)+$/.test(operation)))).toEqual([])
    const names = routes.map(({ operation }) => operation)
    expect(new Set(names).size).toBe(names.length)
  })

  it('names who may call it', () => {
    expect(where(routes.filter(({ access }) => !['anyone', 'user', 'key'].includes(access)))).toEqual([])
  })

  it('has a summary, a tag that is described, and a schema of its success', async () => {
    const { tags } = await app.http.app.description.document('http://localhost')
    const known = new Set(tags.map(({ name }) => name))
    const undocumented = routes.filter(({ route: { schema } }) => {
      const responses = Object.entries((schema?.response ?? {}) as object)
      // What only leads on has no other success.
      const leading: unknown[] = [Redirect, RedirectInWords]
      const hasSuccess = responses.some(([status, answer]) => status.startsWith('2') || leading.includes(answer))
      return !schema?.summary || !schema.tags?.every((tag) => known.has(tag)) || !hasSuccess
    })
    expect(where(undocumented)).toEqual([])
  })

  it('with parameters has a schema for them, and a writing one for its body where it reads one', () => {
    expect(where(routes.filter(({ url, route }) => url.includes(':') && !route.schema?.params))).toEqual([])
    const bodiless = new Set([
      'account.get_by_post',
      'project.star.add',
      'data.restore',
      'invitation.accept',
      'example.make',
      'widget.key.renew',
      'key.revoke',
      'key.renew',
    ])
    const writing = routes.filter(
      ({ method, operation }) => /^(POST|PUT|PATCH)$/.test(method) && !bodiless.has(operation),
    )
    expect(where(writing.filter(({ route }) => !route.schema?.body))).toEqual([])
  })

  it('of the API that needs a caller documents 401, and answers it', async () => {
    const guarded = routes.filter(({ access, url }) => access === 'user' && url.startsWith('/api/v1'))
    expect(guarded.length).toBeGreaterThan(5)
    for (const { method, url, route } of guarded) {
      expect(Object.keys((route.schema?.response ?? {}) as object), `${method} ${url}`).toContain('401')
      const response = await app.page(method as 'GET', url.replace(/:\w+/g, 'nobody'))
      expect(response.statusCode, `${method} ${url}`).toBe(401)
    }
  })

  it('bounds every text and every list it takes', () => {
    const parts = ['body', 'querystring', 'params'] as const
    const unbounded = routes.flatMap(({ method, url, route }) =>
      parts.flatMap((part) => unboundedIn(route.schema?.[part] as Schema, `${method} ${url} ${part}`)),
    )
    expect(unbounded).toEqual([])
  })

  it('takes what JSON Schema can say, which is not asked again at run time', () => {
    const draft = new Ajv()
    const parts = ['body', 'querystring', 'params'] as const
    const properties = routes.flatMap(({ route }) =>
      parts.flatMap((part) => Object.values((route.schema?.[part] as Schema | undefined)?.properties ?? {})),
    )
    expect(properties.length).toBeGreaterThan(500)
    for (const property of properties) {
      expect(draft.validateSchema(property), JSON.stringify([property, draft.errors])).toBe(true)
      expect(validatorOf(property)).toBeTypeOf('function')
    }
  })
})

describe('a route that says nothing', () => {
  it('stops the server from starting', () => {
    expect(() => app.http.routes.add('GET', { url: '/x', method: 'GET', handler: () => undefined })).toThrow(
      'GET /x names no operation or no access rule',
    )
  })
})
