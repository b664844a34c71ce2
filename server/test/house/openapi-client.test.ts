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
    else parts.append(name, value, name === 'xls_file' ? 'visit.csv' : name)
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

  for (const submission of [{ name: 'Ana', age: 30 }, { name: 'Ben', age: 31 }]) {
    const sent = await client.POST('/api/v1/submissions', {
      body: { id: form.id_string, submission },
      bodySerializer: (body) => JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
    if (sent.error !== undefined) throw failed('submission', sent.error)
  }
  const xml = '<data id="' + form.id_string + '"><name>Cleo</name><age>32</age></data>'
  const asDevice = await client.POST('/api/v1/submissions', {
    body: { xml_submission_file: new Blob([xml], { type: 'text/xml' }) },
    bodySerializer: asParts,
    parseAs: 'text',
  })
  if (asDevice.error !== undefined) throw failed('submission as XML', asDevice.error)

  const reader = createClient<paths, 'application/json'>({ baseUrl, headers: { authorization } })
  const pageOf = async (page: string) => {
    const { data, response, error } = await reader.GET('/api/v1/data/{pk}', {
      params: { path: { pk: form.formid }, query: { page, page_size: 2, sort: '_id' } },
    })
    if (data === undefined) throw failed('records', error)
    return { names: data.map(({ name }) => name), ids: data.map(({ _id }) => _id), link: response.headers.get('link') }
  }
  const pages = [await pageOf('1'), await pageOf('2')]
  const changed = await client.PATCH('/api/v1/data/{pk}/{dataid}', {
    params: { path: { pk: form.formid, dataid: String(pages[0]?.ids[0]) } },
    body: { age: 33 },
  })
  if (changed.error !== undefined) throw failed('change', changed.error)
  const table = await client.GET('/api/v1/data/{pk}', {
    params: { path: { pk: form.formid }, query: { format: 'csv' } },
    parseAs: 'text',
  })
  const missing = await client.GET('/api/v1/forms/{pk}', { params: { path: { pk: 2147483647 } } })
  const why: string | string[] | undefined = missing.error?.detail
  const stranger = createClient<paths>({ baseUrl, headers: { authorization: 'Basic ' + btoa('typed:wrong') } })
  const refused = await stranger.GET('/api/v1/user')
  const faulty = await anybody.POST('/api/v1/profiles', { body: { ...account, email: 'nowhere' } })
  return {
    title: form.title,
    pages,
    receipt: asDevice.data as string | undefined,
    table: table.data as string | undefined,
    missing: [missing.response.status, why],
    refused: [refused.response.status, Object.keys(refused.error ?? {})],
    faulty: [faulty.response.status, Object.keys(faulty.error ?? {})],
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
let document: Document

beforeAll(async () => {
  // Below the workspace, so that the client finds its library.
  mkdirSync(join(server, 'dist'), { recursive: true })
  folder = mkdtempSync(join(server, 'dist', 'client-'))
  document = (await app.call('GET', '/openapi.json')).json()
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
    const operations = Object.values(document.paths).flatMap((methods) => Object.keys(methods)).length
    // What models, parameters and refusals have in common is written once: inlined, it was twice as much.
    expect(types.length / operations).toBeLessThan(3000)
  })

  it('compiles, and works: it registers, uploads a form, submits, pages through records, changes one, is refused', async () => {
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
    expect(outcome).toMatchObject({
      title: 'visit',
      pages: [
        { names: ['Ana', 'Ben'], link: expect.stringContaining('rel="next"') },
        { names: ['Cleo'], link: expect.stringContaining('rel="prev"') },
      ],
      missing: [404, 'Not found.'],
      refused: [401, ['detail']],
      faulty: [400, ['email', 'username']],
    })
    expect(outcome.receipt).toContain('Successful submission.')
    // The record that was changed, as it is now.
    expect(outcome.table).toMatch(/^Ana,33,/m)
  }, 120_000)
})
