// A client that somebody makes from the description: it compiles, its types tell right from wrong, and it works.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Document } from '../../src/platform/openapi/index.js'
import { testApp } from '../support/app.js'

const app = testApp()

/** As a person would write it. */
const program = `
import createClient from 'openapi-fetch'
import type { components, paths } from './api.js'

type Form = components['schemas']['Form']
type Project = components['schemas']['Project']

const failed = (what: string, error: unknown): Error => new Error(what + ': ' + JSON.stringify(error))

/** Fields and files as parts. */
const asParts = (body: unknown): FormData => {
  const parts = new FormData()
  for (const [name, value] of Object.entries(body as Record<string, string | Blob>)) {
    if (typeof value === 'string') parts.append(name, value)
    else parts.append(name, value, 'visit.csv')
  }
  return parts
}

export const visit = async (baseUrl: string, sheet: string) => {
  const anybody = createClient<paths>({ baseUrl })
  const account = { username: 'typed', email: 'typed@example.org', first_name: 'Typed', password: 'password of typed' }
  const registered = await anybody.POST('/api/v1/profiles', { body: account })
  if (registered.data === undefined) throw failed('register', registered.error)

  const authorization = 'Basic ' + btoa(account.username + ':' + account.password)
  const client = createClient<paths>({ baseUrl, headers: { authorization } })
  const made = await client.POST('/api/v1/projects', { body: { name: 'Typed visits' } })
  if (made.data === undefined) throw failed('project', made.error)
  const project: Project = made.data

  const published = await client.POST('/api/v1/projects/{pk}/forms', {
    params: { path: { pk: project.projectid } },
    body: { xls_file: new Blob([sheet], { type: 'text/csv' }) },
    bodySerializer: asParts,
  })
  if (published.data === undefined) throw failed('form', published.error)
  const form: Form = published.data

  const sent = await client.POST('/api/v1/submissions', {
    body: { id: form.id_string, submission: { name: 'Ana', age: 30 } },
    bodySerializer: (body) => JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
  if (sent.error !== undefined) throw failed('submission', sent.error)

  const reader = createClient<paths, 'application/json'>({ baseUrl, headers: { authorization } })
  const records = await reader.GET('/api/v1/data/{pk}', {
    params: { path: { pk: form.formid }, query: { limit: 5, page_size: 5 } },
  })
  const table = await client.GET('/api/v1/data/{pk}', {
    params: { path: { pk: form.formid }, query: { format: 'csv' } },
    parseAs: 'text',
  })
  const missing = await client.GET('/api/v1/forms/{pk}', { params: { path: { pk: 2147483647 } } })
  return {
    title: form.title,
    records: records.data?.length,
    table: table.data as string | undefined,
    missing: [missing.response.status, missing.error],
  }
}

export const wrong = () => {
  const client = createClient<paths>({ baseUrl: '' })
  // @ts-expect-error An id is a number.
  void client.GET('/api/v1/forms/{pk}', { params: { path: { pk: 'x' } } })
  // @ts-expect-error There is no such path.
  void client.GET('/api/v1/nothing')
  // @ts-expect-error A profile needs an e-mail address.
  void client.POST('/api/v1/profiles', { body: { username: 'x' } })
}
`

const server = fileURLToPath(new URL('../..', import.meta.url))
const compiler = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url))
let folder = ''
let types = ''

beforeAll(async () => {
  // Below the workspace, so that the client finds its library.
  mkdirSync(join(server, 'dist'), { recursive: true })
  folder = mkdtempSync(join(server, 'dist', 'client-'))
  const document: Document = (await app.call('GET', '/openapi.json')).json()
  const blob = ts.factory.createTypeReferenceNode('Blob')
  const ast = await openapiTS(document as never, {
    transform: ({ format }) => (format === 'binary' ? blob : undefined),
  })
  types = astToString(ast)
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a client made from the description', () => {
  it('has models, and is not large', () => {
    expect(types).toMatch(/\bForm: \{/)
    expect(types.length).toBeLessThan(600_000)
  })

  it('compiles, and works: it registers, uploads a form, submits, reads records and a table', async () => {
    writeFileSync(join(folder, 'api.ts'), types)
    writeFileSync(join(folder, 'client.ts'), program)
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const settings = [
      '--ignoreConfig',
      '--strict',
      '--target',
      'es2022',
      '--module',
      'nodenext',
      '--skipLibCheck',
      '--types',
      'node',
    ]
    const compiled = spawnSync(process.execPath, [compiler, ...settings, join(folder, 'client.ts')], {
      cwd: server,
      encoding: 'utf8',
    })
    expect(compiled.stdout).toBe('')
    expect(compiled.status).toBe(0)

    const address = await app.http.app.listen({ host: '127.0.0.1', port: 0 })
    const client = await import(pathToFileURL(join(folder, 'client.js')).href)
    const sheet = 'survey,,,\n,type,name,label\n,text,name,Name\n,integer,age,Age\n'
    const outcome = await client.visit(address, sheet)
    expect(outcome).toMatchObject({ title: 'visit', records: 1, missing: [404, { detail: 'Not found.' }] })
    expect(outcome.table).toContain('Ana')
  }, 120_000)
})
