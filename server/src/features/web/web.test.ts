import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { publish, visitSheet } from '../../../test/support/forms.js'
import { newProject } from '../../../test/support/projects.js'
import { applicationFolder } from '../../paths.js'

const app = testApp()
const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const index = readFileSync(join(applicationFolder, 'index.html'), 'utf8')
const script = /src="(\/assets\/index-[^"]+\.js)"/.exec(index)?.[1] ?? ''

describe('pages of the application', () => {
  it.each([
    '/',
    '/signin',
    '/signin?next=/forms/1',
    '/register',
    '/reset?uid=1&token=x',
    '/verify?verification_key=x',
    '/invitation',
    '/setup',
    '/projects/1',
    '/projects/1/people',
    '/forms/1/data?q={}',
    '/forms/1/records/uuid:1',
    '/orgs',
    '/orgs/acme/teams',
    '/account',
    '/server',
    '/views/1/data',
    '/public/x',
  ])('200 for a browser at %s: one page, asked for again each time, that loads nothing from elsewhere', async (url) => {
    const { statusCode, headers, body } = await app.page('GET', url, { headers: browser })
    expect([statusCode, body]).toEqual([200, index])
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self'; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    })
    expect(headers.vary).toContain('Accept')
  })

  it('304 for whoever has the page', async () => {
    const { headers } = await app.page('GET', '/signin', { headers: browser })
    const again = await app.page('GET', '/signin', { headers: { ...browser, 'if-none-match': String(headers.etag) } })
    expect(again.statusCode).toBe(304)
  })

  it.each(['/signin', '/projects/1', '/forms/1/data', '/account'])(
    '404 for a program at %s, as it was before',
    async (url) => {
      for (const accept of ['*/*', 'application/json', undefined]) {
        const answer = await app.page('GET', url, accept === undefined ? {} : { headers: { accept } })
        expect([accept, answer.statusCode, answer.json()]).toEqual([accept, 404, { detail: 'Not found.' }])
      }
      expect((await app.page('POST', url, { headers: browser })).statusCode).toBe(404)
    },
  )

  it('404 for a browser where neither the application nor the server has a page', async () => {
    for (const url of ['/nothing', '/projectsx', '/api/v2', '/signin.php']) {
      expect([url, (await app.page('GET', url, { headers: browser })).statusCode]).toEqual([url, 404])
    }
  })

  it('programs get the plain start page', async () => {
    const { statusCode, body, headers } = await app.page('GET', '/')
    expect([statusCode, headers.vary]).toEqual([200, 'Accept'])
    expect(body).toContain('Sheaf is running')
  })

  it('what is the server’s stays the server’s, also for browsers, and for people who are named like a page', async () => {
    const projects = await app.account({ username: 'projects' })
    const project = await newProject(app, projects)
    const { formid } = await publish(app, projects, visitSheet(), { project })
    for (const url of [
      '/formList',
      '/projects/formList',
      `/projects/${project}/formList`,
      `/forms/${formid}/formList`,
      `/projects/${formid}/formList`,
    ]) {
      for (const headers of [browser, {}]) {
        const { body } = await app.page('GET', url, { headers })
        expect([url, body.includes('id="app"')]).toEqual([url, false])
      }
    }
    expect((await app.page('GET', '/accounts/login/', { headers: browser })).body).toContain('csrf')
    expect((await app.page('GET', '/api/v1/projects', { headers: browser })).body).not.toContain('id="app"')
  })
})

describe('/assets', () => {
  it('200 for every file of the page, to be kept for ever, under the policy of the page', async () => {
    const files = [...index.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file = '']) => file)
    expect(files.length).toBeGreaterThan(2)
    for (const file of files) {
      const { statusCode, headers } = await app.page('GET', file)
      expect([file, statusCode]).toEqual([file, 200])
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
      expect(headers['content-type']).toMatch(/^text\/(javascript|css); charset=utf-8$/)
      expect(headers['content-security-policy']).toContain("connect-src 'self'")
    }
  })

  it('200 packed for whoever can unpack it: brotli first, gzip, or as it is', async () => {
    const plain = (await app.page('GET', script)).body
    const packed = async (encodings: string) => {
      const { headers, rawPayload } = await app.page('GET', script, { headers: { 'accept-encoding': encodings } })
      expect(headers.vary).toContain('Accept-Encoding')
      return { encoding: headers['content-encoding'], rawPayload }
    }
    const brotli = await packed('gzip, deflate, br')
    expect([brotli.encoding, brotliDecompressSync(brotli.rawPayload).toString()]).toEqual(['br', plain])
    const gzip = await packed('gzip')
    expect([gzip.encoding, gunzipSync(gzip.rawPayload).toString()]).toEqual(['gzip', plain])
    expect((await packed('identity')).encoding).toBeUndefined()
  })

  it.each(['index.html', 'nothing.js', '..%2Findex.html', '%2e%2e%2f%2e%2e%2fpackage.json', '.built', '__proto__'])(
    '404 for %s: only what was built is there',
    async (name) => {
      expect((await app.page('GET', `/assets/${name}`)).statusCode).toBe(404)
    },
  )

  it('every file that was built can be had', async () => {
    const names = readdirSync(join(applicationFolder, 'assets')).filter((name) => !/\.(br|gz)$/.test(name))
    expect(names.length).toBeGreaterThan(10)
    for (const name of names) expect([name, (await app.page('GET', `/assets/${name}`)).statusCode]).toEqual([name, 200])
  })
})
