import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { applicationFolder } from '../../paths.js'

const app = testApp()
const tiled = testApp({ TILES_URL: 'https://tiles.example.org/{z}/{x}/{y}.png' })
const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const built = readFileSync(join(applicationFolder, 'f/fill.html'), 'utf8')
const nonceIn = (body: string) => /<meta property="csp-nonce" nonce="([^"]+)">/.exec(body)?.[1] ?? ''

describe('pages where forms are filled in', () => {
  it.each([
    '/f/outbox',
    '/f/preview',
    '/f/check',
    '/f/ana/12',
    '/f/ana/12/uuid:5b2cc313-fc09-437e-8149-fcd32f695d41',
    '/f/ana/12?d[name]=x',
    '/f/3Qm0vJ5kZr8cYtX2sLwN7aBd9fGh1JkP',
    '/f/key/3Qm0vJ5kZr8cYtX2sLwN7aBd9fGh1JkP/12',
  ])('200 for a browser at %s: one page under a policy of its own, with another nonce each time', async (url) => {
    const { statusCode, headers, body } = await app.page('GET', url, { headers: browser })
    const nonce = nonceIn(body)
    expect([statusCode, body]).toEqual([200, built.replace('%NONCE%', nonce)])
    expect(nonce).toMatch(/^[A-Za-z0-9+/]{22}==$/)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-frame-options': 'SAMEORIGIN',
      'content-security-policy': `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'nonce-${nonce}'; img-src 'self' blob: data:; media-src 'self' blob:; font-src 'self'; connect-src 'self'; worker-src 'self' blob:; manifest-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'`,
    })
    const again = await app.page('GET', url, { headers: browser })
    expect(nonceIn(again.body)).not.toBe(nonce)
  })

  it('the policy lets pictures of maps in from where the settings say, and from nowhere else', async () => {
    const { headers } = await tiled.page('GET', '/f/ana/12', { headers: browser })
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("img-src 'self' blob: data: https://tiles.example.org; ")
    expect(policy.match(/https?:/g)).toHaveLength(1)
  })

  it('404 for a program, and for what is not read', async () => {
    for (const url of ['/f/outbox', '/f/ana/12']) {
      const answer = await app.page('GET', url, { headers: { accept: 'application/json' } })
      expect([answer.statusCode, answer.json()]).toEqual([404, { detail: 'Not found.' }])
      expect((await app.page('POST', url, { headers: browser })).statusCode).toBe(404)
    }
  })

  it('200 for every file of it, to be kept for ever, below the scope of its service worker', async () => {
    const names = readdirSync(join(applicationFolder, 'f/assets')).filter((name) => !/\.(br|gz)$/.test(name))
    expect(names.length).toBeGreaterThan(3)
    for (const name of names) {
      const { statusCode, headers } = await app.page('GET', `/f/assets/${name}`)
      expect([name, statusCode]).toEqual([name, 200])
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
      expect(headers['content-security-policy']).toContain("script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; ")
    }
  })

  it.each(['nothing.js', '..%2Ffill.html', '..%2F..%2Findex.html', '__proto__'])(
    '404 for %s: only what was built is there',
    async (name) => {
      expect((await app.page('GET', `/f/assets/${name}`)).statusCode).toBe(404)
    },
  )
})
