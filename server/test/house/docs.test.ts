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
    // What is in the path is said too, however long the list.
    expect(body).toMatch(/id="data\.list".*?<h3>In the path<\/h3><dl><dt><code>pk<\/code>/s)
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

  it('is packed once for those who can unpack it, and less than 25 KB a page', async () => {
    const { tags } = await app.http.app.description.document('http://localhost')
    const groups = ['', '/models-a-l', '/models-m-z', ...tags.map(({ name }) => `/${name.replaceAll(' ', '-')}`)]
    for (const group of groups) {
      const answer = await app.page('GET', `/api/v1/docs${group}`, { headers: { 'accept-encoding': 'gzip' } })
      expect([answer.statusCode, answer.headers['content-encoding']], group).toEqual([200, 'gzip'])
      expect(answer.rawPayload.length, group).toBeLessThan(25_000)
    }
  })

  it('304 for those who have a page, a file of it or the description already, packed or not', async () => {
    const [, style = ''] = /href="([^"]+docs\.css[^"]*)"/.exec((await app.page('GET', '/api/v1/docs')).body) ?? []
    for (const address of ['/api/v1/docs', '/api/v1/docs/forms', style, '/api/v1/openapi.json']) {
      const tags = new Set<unknown>()
      for (const encoding of ['identity', 'gzip']) {
        const headers = { 'accept-encoding': encoding }
        const { etag } = (await app.page('GET', address, { headers })).headers
        tags.add(etag)
        const again = await app.page('GET', address, { headers: { ...headers, 'if-none-match': String(etag) } })
        expect([again.statusCode, again.body], `${address} ${encoding}`).toEqual([304, ''])
      }
      expect(tags.size, address).toBe(2)
    }
  })

  it('a model has its fields once, where types lead to', async () => {
    const bodies = ['a-l', 'm-z'].map(async (part) => (await app.page('GET', `/api/v1/docs/models-${part}`)).body)
    const models = (await Promise.all(bodies)).join('')
    expect(models).toContain('id="Form"')
    for (const address of ['/api/v1/docs/forms', '/api/v1/docs/projects', '/api/v1/docs/models-m-z']) {
      const { body } = await app.page('GET', address)
      const led = [...body.matchAll(/href="\/api\/v1\/docs\/models-[a-z]-[a-z]#(\w+)"/g)].map(([, name]) => name)
      expect(led.length, address).toBeGreaterThan(2)
      expect(led.filter((name) => !models.includes(`id="${name}"`))).toEqual([])
    }
  })

  it('shows each call for a command line, quoted so that a shell takes it as it is', async () => {
    const { body } = await app.page('GET', '/api/v1/docs/projects')
    const [, calls] = /id="project.create".*?<pre class="curl">([^<]+)<\/pre>/s.exec(body) ?? []
    const unescaped = calls?.replaceAll('&#39;', "'").replaceAll('&quot;', '"')
    expect(unescaped?.split(' \\\n  ')).toEqual([
      'curl -X POST',
      "-u 'ana:correct horse'",
      "-H 'content-type: application/json'",
      `-d '{"name":"Survey","public":false,"metadata":{"category":"health"}}'`,
      'https://forms.example.org/api/v1/projects',
    ])
    const uploads = (await app.page('GET', '/api/v1/docs/forms')).body
    expect(uploads).toContain('-F xls_file=@xls')
  })
})
