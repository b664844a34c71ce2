// A real browser in which somebody has signed in: what this server's own pages may do by it, and what others may not.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasNoBrowser, openBrowser } from '../support/browser.js'
import { type ServerProcess, workplace } from '../support/process.js'

const password = 'correct horse'
const basic = `Basic ${Buffer.from(`ana:${password}`).toString('base64')}`

describe.skipIf(hasNoBrowser)('a session in a browser (needs Chromium on the PATH)', () => {
  let place: Awaited<ReturnType<typeof workplace>>
  let server: ServerProcess
  let browser: Browser
  let trap: Server
  let traps: { otherSite: string; sameSite: string }
  let project: number
  /** The same server by a name of the local network, over http: there browsers say nothing of sites. */
  let byName: string

  beforeAll(async () => {
    place = await workplace({ hasDatabase: true })
    server = await place.start().ready()
    for (const name of ['ana', 'mallory']) expect((await server.register(name)).status).toBe(201)
    const made = await server.call('/api/v1/projects', {
      method: 'POST',
      headers: { authorization: basic },
      body: new URLSearchParams({ name: 'Wells' }),
    })
    project = ((await made.json()) as { projectid: number }).projectid
    trap = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<form method="post" action="${server.address}/api/v1/projects/${project}/share">
        <input name="username" value="mallory"><input name="role" value="owner"><button>Win a prize</button></form>
        <a href="${server.address}/api/v1/user/regenerate_auth_token">A kitten</a>
        <a href="${server.address}/api/v1/projects/${project}">A link</a>`)
    })
    await new Promise<void>((resolve) => trap.listen(0, resolve))
    const { port } = trap.address() as AddressInfo
    traps = { otherSite: `http://localhost:${port}/`, sameSite: `http://127.0.0.1:${port}/` }
    byName = server.address.replace('127.0.0.1', 'data.test')
    browser = await openBrowser('--host-resolver-rules=MAP data.test 127.0.0.1')
  })
  afterAll(async () => {
    await browser?.close()
    await place?.clean()
    trap?.close()
  })

  const projectNow = async () => {
    const answer = await server.call(`/api/v1/projects/${project}`, { headers: { authorization: basic } })
    return (await answer.json()) as { name: string; users: { user: string }[] }
  }

  /** What a script of the page gets. The server's plain pages allow none: here the policy is set aside. */
  const fetched = (page: Page, url: string, init: object = {}): Promise<unknown> =>
    page.evaluate(
      `fetch(${JSON.stringify(url)}, ${JSON.stringify(init)}).then(async (answer) => [answer.status, await answer.text()], () => 'refused')`,
    )
  const json = (method: string, body: object, headers: object = {}) => ({
    method,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })

  const signedIn = async (address: string): Promise<{ context: BrowserContext; page: Page; csrf: string }> => {
    const context = await browser.newContext({ bypassCSP: true })
    const page = await context.newPage()
    await page.goto(`${address}/accounts/login/`)
    const answer = await fetched(page, '/accounts/session', json('POST', { username: 'ana', password }))
    const [status, text] = answer as [number, string]
    expect(status).toBe(200)
    expect(await page.evaluate('document.cookie')).toBe('')
    return { context, page, csrf: JSON.parse(text).csrf }
  }

  /** Whether a picture of the API is shown by a page. */
  const shows = (page: Page, url: string): Promise<unknown> =>
    page.evaluate(
      `new Promise((done) => { const one = new Image(); one.onload = () => done(true); one.onerror = () => done(false); one.src = ${JSON.stringify(url)} })`,
    )

  const statusOf = async (answer: Promise<unknown>) => ((await answer) as [number])[0]

  it.each(['by its address', 'by a name, over http'])(
    'this server’s own pages read and change, the latter with the proof alone (%s)',
    async (which) => {
      const { context, page, csrf } = await signedIn(which === 'by its address' ? server.address : byName)
      const path = `/api/v1/projects/${project}`
      expect(await statusOf(fetched(page, path))).toBe(200)
      expect(await statusOf(fetched(page, path, json('PATCH', { name: 'Without' })))).toBe(401)
      const change = json('PATCH', { name: `Changed ${which}` }, { 'x-sheaf-csrf': csrf })
      expect(await statusOf(fetched(page, path, change))).toBe(200)
      expect((await projectNow()).name).toBe(`Changed ${which}`)
      const out = { method: 'DELETE', headers: { 'x-sheaf-csrf': csrf } }
      expect(await statusOf(fetched(page, '/accounts/session', out))).toBe(204)
      expect(await statusOf(fetched(page, path))).toBe(401)
      expect(await context.cookies()).toEqual([])
      await context.close()
    },
  )

  it.each(['otherSite', 'sameSite'] as const)('a page of %s changes nothing and reads nothing by it', async (which) => {
    const { context, csrf } = await signedIn(server.address)
    const before = await projectNow()
    const page = await context.newPage()
    await page.goto(traps[which])
    const api = `${server.address}/api/v1`
    const share = `${api}/projects/${project}/share`
    const fields = { username: 'mallory', role: 'owner' }
    for (const init of [
      { ...json('POST', fields, { 'x-sheaf-csrf': csrf }), credentials: 'include' },
      { ...json('POST', fields), credentials: 'include' },
      { credentials: 'include' },
    ])
      expect(await fetched(page, share, init)).toBe('refused')
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const quiet = {
      method: 'POST',
      mode: 'no-cors',
      credentials: 'include',
      headers: form,
      body: 'username=mallory&role=owner',
    }
    await fetched(page, share, quiet)
    expect(await fetched(page, `${server.address}/accounts/session`, { credentials: 'include' })).toBe('refused')
    expect(
      await fetched(page, `${server.address}/accounts/session`, { method: 'DELETE', credentials: 'include' }),
    ).toBe('refused')
    expect(await shows(page, `${api}/projects/${project}`)).toBe(false)
    for (const words of ['Win a prize', 'A kitten']) {
      await page.goto(traps[which])
      // Without a cookie, which other sites do not send along with a form, the browser asks for a password, and shows no page.
      const answered = page.waitForResponse((answer) => answer.url().startsWith(api))
      await page.getByText(words).click()
      expect([401, 403]).toContain((await answered).status())
    }
    await page.goto(traps[which])
    await Promise.all([page.waitForURL(`${api}/**`), page.getByText('A link').click()])
    expect(await page.textContent('body')).toContain(before.name)
    expect(await projectNow()).toEqual(before)
    const present = await context.newPage()
    await present.goto(`${server.address}/accounts/login/`)
    expect(await statusOf(fetched(present, '/accounts/session'))).toBe(200)
    await context.close()
  })

  it('pictures of an account’s data are shown by this server’s own pages, over http by a name, too', async () => {
    for (const address of [server.address, byName]) {
      const { context, page } = await signedIn(address)
      const asked = page.waitForResponse((answer) => answer.url().includes('/api/v1/projects?picture'))
      // No picture, but asked for as one.
      expect(await shows(page, '/api/v1/projects?picture')).toBe(false)
      const answer = await asked
      expect([answer.status(), answer.headers()['cross-origin-resource-policy']]).toEqual([200, 'same-origin'])
      await context.close()
    }
  })
})
