// The description says what is there: every parameter, every media type, every model, and examples that fit.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { beforeAll, describe, expect, it } from 'vitest'
import { pathOf } from '../../src/platform/openapi/index.js'
import { testApp } from '../support/app.js'
import { Described } from '../support/described.js'

const app = testApp()

interface Schema {
  $ref?: string
  type?: string
  format?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  examples?: unknown[]
}
interface Parameter {
  $ref?: string
  name: string
  in: string
  schema: Schema
}
interface Operation {
  operationId: string
  summary?: string
  tags?: string[]
  security: object[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: Schema }> }>
}
interface Description {
  openapi: string
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> }
}

let described: Description
let operations: { path: string; method: string; operation: Operation }[]

beforeAll(async () => {
  described = (await app.call('GET', '/openapi.json', { headers: { host: 'forms.example.org' } })).json()
  operations = Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
})

const operation = (path: string, method: string): Operation => {
  const found = described.paths[path]?.[method]
  if (found === undefined) throw new Error(`${method} ${path} is not described`)
  return found
}

const parametersOf = ({ parameters = [] }: Operation): Parameter[] =>
  parameters.map((one) =>
    one.$ref === undefined ? one : (described.components.parameters[one.$ref.split('/').at(-1) ?? ''] as Parameter),
  )

const modelOf = (schema: Schema | undefined): Schema | undefined =>
  schema?.$ref === undefined ? schema : described.components.schemas[schema.$ref.split('/').at(-1) ?? '']

const successOf = ({ responses }: Operation, status = 200) => responses[status]?.content ?? {}

describe('/api/v1/openapi.json', () => {
  it('is OpenAPI 3.1, for anybody, and names the server that the caller used', () => {
    expect(described.openapi).toBe('3.1.0')
    expect(described.servers[0]?.url).toBe('http://forms.example.org')
    expect(operation('/api/v1/profiles/{username}', 'patch').operationId).toBe('profile.patch')
  })

  it('shows the same bounds that validate, error answers, bodies in every encoding, and who may call', () => {
    const register = operation('/api/v1/profiles', 'post')
    const content = register.requestBody?.content ?? {}
    expect(Object.keys(content)).toEqual([
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
    ])
    expect(modelOf(content['application/json']?.schema)).toMatchObject({
      required: ['username', 'email'],
      properties: { username: { minLength: 3, maxLength: 30 } },
    })
    expect(Object.keys(register.responses)).toEqual(expect.arrayContaining(['201', '400', '401', '403', '413', '415']))
    expect(register.security).toContainEqual({})
    expect(operation('/api/v1/user', 'get').security).not.toContainEqual({})
    expect(JSON.stringify(described)).not.toMatch(/"x-[a-z]+"/)
  })

  it('every operation has a name of its own and says what it answers', () => {
    const ids = operations.map((one) => one.operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(operations.filter((one) => Object.keys(one.operation.responses).length === 0)).toEqual([])
  })

  it('a path has the parameters that are in it, and no others', () => {
    for (const { path, method, operation: one } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const described = parametersOf(one).filter((parameter) => parameter.in === 'path')
      expect(
        described.map(({ name }) => name),
        `${method} ${path}`,
      ).toEqual(inPath)
    }
  })

  it('every example fits its schema', () => {
    const ajv = new Ajv2020({ strict: false, formats: { binary: true } })
    addFormats.default(ajv)
    ajv.addSchema({ ...described, $id: 'http://description/' })
    const found = examplesIn({ paths: described.paths, components: described.components })
    for (const { path, examples } of found) {
      const validate = ajv.compile({ $ref: `http://description/#${path}` })
      for (const example of examples) {
        expect(validate(example), `${path} ${JSON.stringify(example)} ${ajv.errorsText(validate.errors)}`).toBe(true)
      }
    }
    expect(found.length).toBeGreaterThan(200)
  })

  it('every operation has a summary, a tag, and examples of what it takes and answers', () => {
    const tags = new Set(described.tags.map(({ name }) => name))
    const unsaid = operations.filter(
      ({ operation: { summary = '', tags: own = [] } }) =>
        summary.length < 5 || own.length === 0 || !own.every((tag) => tags.has(tag)),
    )
    expect(unsaid).toEqual([])
    const without = operations.flatMap(({ operation: one }) => {
      const inPath = parametersOf(one).filter((parameter) => parameter.in === 'path')
      const bodies = Object.values(one.requestBody?.content ?? {})
      const answers = Object.entries(one.responses).filter(([status]) => status.startsWith('2'))
      const contents = answers.flatMap(([, answer]) => Object.entries(answer.content ?? {}))
      // What is also JSON is shown as JSON; bytes are nothing to read.
      const json = contents.filter(([type]) => type === 'application/json')
      const shown = (json.length > 0 ? json : contents).map(([, { schema }]) => schema)
      return [
        ...inPath.filter(({ schema }) => !hasExample(schema)).map(({ name }) => `${one.operationId} ${name}`),
        ...(bodies.length > 0 && !bodies.some(({ schema }) => hasExample(schema)) ? [`${one.operationId} body`] : []),
        ...(shown.every((schema) => schema.format === 'binary' || hasExample(schema))
          ? []
          : [`${one.operationId} answer`]),
      ]
    })
    expect(without).toEqual([])
  })

  it('every list says what is in it', () => {
    expect(listsWithoutItems(described)).toEqual([])
    expect(listsWithoutItems({ a: { type: 'array' } })).toEqual(['/a'])
  })

  it('what rooms call by name are models, which answers and bodies refer to', () => {
    const names = Object.keys(described.components.schemas)
    expect(names).toEqual(
      expect.arrayContaining(['Form', 'Project', 'Profile', 'Team', 'Note', 'CreateProject', 'Error', 'Faults']),
    )
    expect(successOf(operation('/api/v1/forms/{pk}', 'get'))['application/json']?.schema.$ref).toBe(
      '#/components/schemas/Form',
    )
    const unnamed = operations.flatMap(({ operation: one }) =>
      [...Object.values(one.requestBody?.content ?? {}), ...Object.values(one.responses).flatMap(contentsOf)]
        .filter(({ schema }) => Object.keys(schema.properties ?? {}).length > 0)
        .map(() => one.operationId),
    )
    expect(unnamed).toEqual([])
  })

  it('objects that may hold anything have the name of what they are, or none', () => {
    const answerOf = (path: string) => Object.values(successOf(operation(path, 'get')))[0]?.schema.$ref
    expect([answerOf('/o/userinfo'), answerOf('/.well-known/openid-configuration')]).toEqual([
      '#/components/schemas/Person',
      '#/components/schemas/Discovery',
    ])
    const metadata = described.components.schemas.Project?.properties?.metadata
    expect(metadata).toMatchObject({ type: 'object' })
    expect(answerOf('/api/v1/data/{pk}/{dataid}')).toBe('#/components/schemas/Record')
    expect(answerOf('/api/v1/charts/{pk}')).not.toBe('#/components/schemas/Record')
  })

  it('a file is a part of a multipart body, which comes first, and is binary', () => {
    const uploads = operations.filter(({ operation: one }) =>
      Object.values(one.requestBody?.content ?? {}).some(({ schema }) =>
        Object.values(modelOf(schema)?.properties ?? {}).some(({ description = '' }) =>
          /^file part/i.test(description),
        ),
      ),
    )
    expect(uploads.length).toBeGreaterThan(8)
    for (const { operation: one } of uploads) {
      const content = one.requestBody?.content ?? {}
      expect(Object.keys(content)[0], one.operationId).toBe('multipart/form-data')
      for (const [encoding, { schema }] of Object.entries(content)) {
        const parts = Object.values(modelOf(schema)?.properties ?? {}).filter(({ description = '' }) =>
          /^file part/i.test(description),
        )
        if (encoding !== 'multipart/form-data') expect(parts, one.operationId).toEqual([])
        for (const part of parts) expect(part, one.operationId).toMatchObject({ type: 'string', format: 'binary' })
      }
    }
  })

  it('numbers in addresses are numbers: ids, pages, counts', () => {
    const typeOf = (path: string, name: string) =>
      parametersOf(operation(path, 'get')).find((one) => one.name === name)?.schema.type
    expect(typeOf('/api/v1/forms/{pk}', 'pk')).toBe('integer')
    expect(typeOf('/api/v1/projects', 'page_size')).toBe('integer')
    expect(typeOf('/api/v1/data/{pk}', 'limit')).toBe('integer')
    expect(typeOf('/api/v1/data/{pk}/{dataid}', 'dataid')).toBe('string')
  })

  it('what is not JSON is described by its media type, errors too', () => {
    expect(Object.keys(successOf(operation('/api/v1/data/{pk}', 'get')))).toEqual(
      expect.arrayContaining(['application/json', 'text/csv', 'application/xml', 'application/zip']),
    )
    expect(Object.keys(successOf(operation('/{username}/formList', 'get')))).toEqual(['text/xml'])
    expect(operation('/{username}/formList', 'get').responses[404]?.$ref).toBe('#/components/responses/NotFoundXml')
    expect(Object.keys(successOf(operation('/accounts/login', 'get')))).toEqual(['text/html'])
    expect(Object.keys(successOf(operation('/avatar/{hash}', 'get')))).toEqual(['image/svg+xml'])
  })

  it('what a text answers is shown as that text', () => {
    const { schema } = successOf(operation('/{username}/formList', 'get'))['text/xml'] ?? {}
    expect(schema?.examples?.[0]).toContain('<xforms xmlns="http://openrosa.org/xforms/xformsList"><xform>')
  })

  it('406 is described wherever the Accept header chooses', () => {
    const unsaid = operations.filter(
      ({ path, operation: one }) => path.startsWith('/api/v1/') && one.responses[406] === undefined,
    )
    const files = [
      'file.get',
      'media.get',
      'key.settings_file',
      'key.sheet',
      'docs.show',
      'docs.group',
      'docs.file.css',
      'docs.file.js',
    ]
    expect(unsaid.map((one) => one.operation.operationId).filter((id) => !files.includes(id))).toEqual([])
  })

  it('others are answered while it is made for the first time', async () => {
    const { description } = app.http.app
    const fresh = new (description.constructor as new (...args: unknown[]) => typeof description)(
      app.http.routes.entries,
      { title: '', version: '', description: '', license: {}, tags: [], models: {} },
    )
    let turns = 0
    let isMade = false
    const count = () => {
      turns += 1
      if (!isMade) setImmediate(count)
    }
    setImmediate(count)
    await fresh.document('http://localhost')
    isMade = true
    expect(turns).toBeGreaterThan(1)
  })
})

/** Where schemas have examples, as JSON pointers. */
const examplesIn = (node: object, path = ''): { path: string; examples: unknown[] }[] => {
  const { examples } = node as { examples?: unknown }
  const own = Array.isArray(examples) && !path.endsWith('/properties') ? [{ path, examples }] : []
  const inner = Object.entries(node).filter(([key, value]) => key !== 'examples' && typeof value === 'object' && value)
  const escaped = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))
  return [...own, ...inner.flatMap(([key, value]) => examplesIn(value, `${path}/${escaped(key)}`))]
}

/** By itself, by what it lists, or by one of the things that it may be. */
const hasExample = (schema: Schema): boolean => {
  const { examples = [], items, anyOf = [] } = modelOf(schema) ?? {}
  return examples.length > 0 || (items !== undefined && hasExample(items)) || anyOf.some(hasExample)
}

const listsWithoutItems = (node: object, path = ''): string[] => {
  const { type, items } = node as { type?: unknown; items?: unknown }
  const own = [type].flat().includes('array') && items === undefined ? [path] : []
  const inner = Object.entries(node).filter(([key, value]) => key !== 'examples' && typeof value === 'object' && value)
  return [...own, ...inner.flatMap(([key, value]) => listsWithoutItems(value, `${path}/${key}`))]
}

const contentsOf = ({ content = {} }: Operation['responses'][string]) => Object.values(content)

/** What is said of an answer, without words and names. */
const shapeIn = (responses: object, components: object): string => {
  const shown = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(shown)
    if (typeof node !== 'object' || node === null) return node
    const { $ref } = node as { $ref?: string }
    if ($ref !== undefined) return shown(named($ref))
    const told = Object.entries(node).filter(
      ([key, value]) => key !== 'examples' && !(key === 'description' && typeof value === 'string'),
    )
    return Object.fromEntries(told.map(([key, value]) => [key, shown(value)]).sort())
  }
  const named = (reference: string) => {
    const [, , kind = '', name = ''] = reference.split('/')
    return (components as Record<string, Record<string, unknown>>)[kind]?.[name]
  }
  return JSON.stringify(shown(responses))
}

describe('an answer that is not as described', () => {
  it('is told by the description itself: operation for operation it is what answers are held against', () => {
    const judge = new Described(app.http.routes.entries)
    const routes = app.http.routes.entries.filter(
      ({ route, method }) => route.schema?.hide !== true && method !== 'HEAD',
    )
    expect(routes.length).toBeGreaterThan(200)
    for (const { method, url } of routes) {
      const own = judge.answersTo(method, url)
      const { responses } = operation(pathOf(url), method.toLowerCase())
      const whole = shapeIn(responses, described.components)
      expect(shapeIn(own?.responses ?? {}, { schemas: own?.models, responses: judge.shared }), `${method} ${url}`).toBe(
        whole,
      )
    }
  })

  const answer = { method: 'GET', route: '/api/v1/notes', status: 200, type: 'application/json; charset=utf-8' }

  it('is found by its status, its media type and its shape', async () => {
    const judge = new Described(app.http.routes.entries)
    expect(judge.faultOf({ ...answer, body: '[]' })).toBeUndefined()
    expect(judge.faultOf({ ...answer, body: '{}' })).toContain('must be array')
    expect(judge.faultOf({ ...answer, body: '[{"id":"x"}]' })).toContain('data/0/id must be integer')
    expect(judge.faultOf({ ...answer, status: 418, body: '{}' })).toContain('the status is not described')
    expect(judge.faultOf({ ...answer, type: 'text/csv', body: '' })).toBeUndefined()
    expect(judge.faultOf({ ...answer, type: 'text/csv', body: 'a' })).toContain('text/csv is not described')
  })
})
