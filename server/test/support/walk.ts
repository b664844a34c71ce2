// Walks through the web application in a real browser: the real server, accounts and forms made by the API, a page for each
// person. What a page should not do is collected on the way: errors, requests to other hosts, violations of the policy.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import axe from 'axe-core'
import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type Account, TestApp } from './app.js'
import { sharedBrowser } from './browser.js'

/** Ignored by git; made when `PICTURES` is set, for people to look at. */
const pictures = fileURLToPath(new URL('../../../web/pictures', import.meta.url))

const sizes = [
  ['1440', { width: 1440, height: 900 }],
  ['1024', { width: 1024, height: 768 }],
  ['360', { width: 360, height: 740 }],
] as const

const faultsOf = new WeakMap<Page, string[]>()

/** What a page asks for now, and when the last of it began or ended. */
const trafficOf = new WeakMap<Page, { readonly asked: Set<Request>; changedAt: number }>()

const watchTraffic = (page: Page): void => {
  const traffic = { asked: new Set<Request>(), changedAt: performance.now() }
  trafficOf.set(page, traffic)
  const end = (request: Request) => {
    traffic.asked.delete(request)
    traffic.changedAt = performance.now()
  }
  page.on('request', (request) => {
    traffic.asked.add(request)
    traffic.changedAt = performance.now()
  })
  page.on('requestfinished', end)
  page.on('requestfailed', end)
}

const watch = (page: Page, origin: string): void => {
  const faults: string[] = []
  faultsOf.set(page, faults)
  watchTraffic(page)
  page.on('request', (request) => {
    const { protocol, origin: other } = new URL(request.url())
    if (protocol.startsWith('http') && other !== origin) faults.push(`left for ${request.url()}`)
  })
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(error.message))
}

export class Walk {
  readonly app: TestApp
  address = ''
  #browser!: Browser
  #contexts: BrowserContext[] = []

  constructor(env: Record<string, string>) {
    this.app = new TestApp(env)
  }

  async open(): Promise<void> {
    await this.app.open()
    this.address = await this.app.http.app.listen({ host: '127.0.0.1', port: 0 })
    this.#browser = await sharedBrowser()
  }

  async close(): Promise<void> {
    await this.leave()
    await this.app.close()
  }

  /** Closes every page: one that nobody looks at any more goes on asking the server for what is new. */
  async leave(): Promise<void> {
    const contexts = this.#contexts
    this.#contexts = []
    await Promise.all(contexts.map((context) => context.close()))
  }

  /** A browser of its own: nobody is signed in. */
  async visitor(path = '/', options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#context(options)
    return this.#arrive(context, path, options.baseURL)
  }

  /** A browser in which this person is signed in. */
  async as({ username, password }: Account, path = '/', options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#context(options)
    const answer = await context.request.post('/accounts/session', { data: { username, password, stay: false } })
    if (!answer.ok()) throw new Error(`Signing in answered ${answer.status()}: ${await answer.text()}`)
    return this.#arrive(context, path, options.baseURL)
  }

  /** Another tab of the same browser. */
  async tab(page: Page, path = '/'): Promise<Page> {
    return this.#arrive(page.context(), path)
  }

  /** The server as another machine has it: over http, which browsers trust with less. */
  get fromAfar(): { baseURL: string } {
    return { baseURL: this.address.replace('127.0.0.1', 'sheaf.test') }
  }

  async #context(options: BrowserContextOptions): Promise<BrowserContext> {
    // A colour that is on its way to another has a contrast that nobody sees.
    const context = await this.#browser.newContext({ baseURL: this.address, reducedMotion: 'reduce', ...options })
    this.#contexts.push(context)
    return context
  }

  async #arrive(context: BrowserContext, path: string, origin = this.address): Promise<Page> {
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    watch(page, origin)
    await page.goto(path)
    await settled(page)
    return page
  }

  /** What the page did that it should not; those that a test expects are taken out with `expected`. */
  faults(page: Page, expected: RegExp = /^$/): string[] {
    return (faultsOf.get(page) ?? []).filter((fault) => !expected.test(fault))
  }

  /** Nothing serious for people with a screen reader or a keyboard, in both looks; nothing that the page should not do. */
  async check(page: Page, expected?: RegExp): Promise<void> {
    await checkLooks(page)
    expect(this.faults(page, expected)).toEqual([])
  }

  /** The page as it is; only when somebody wants to look. */
  async picture(page: Page, name: string): Promise<void> {
    if (process.env.PICTURES === undefined) return
    mkdirSync(pictures, { recursive: true })
    await page.screenshot({ path: join(pictures, `${name}.png`), animations: 'disabled' })
  }

  /** The page in every size, both looks, and in Arabic; only when somebody wants to look. */
  async pictures(page: Page, name: string): Promise<void> {
    if (process.env.PICTURES === undefined) return
    mkdirSync(pictures, { recursive: true })
    const take = async (of: string) => {
      await page.screenshot({ path: join(pictures, `${name}-${of}.png`), animations: 'disabled' })
    }
    const before = page.viewportSize()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const [size, viewport] of sizes) {
        await page.setViewportSize(viewport)
        await take(`${size}-${colorScheme}`)
      }
    }
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize(sizes[0][1])
    await page.evaluate("localStorage.setItem('sheaf-language', 'ar')")
    await page.reload()
    await settled(page)
    await take('1440-ar')
    await page.setViewportSize(sizes[2][1])
    await take('360-ar')
    await page.evaluate("localStorage.removeItem('sheaf-language')")
    await page.reload()
    await settled(page)
    if (before !== null) await page.setViewportSize(before)
  }
}

/** By axe-core, in both looks. */
export const checkLooks = async (page: Page): Promise<void> => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await painted(page)
    expect([colorScheme, await seriousFaults(page, rulesOf[colorScheme])]).toEqual([colorScheme, []])
  }
  await page.emulateMedia({ colorScheme: 'light' })
}

/** Both looks are the same elements in other colours: what is not about colours is the same in the second. */
const rulesOf = {
  light: {},
  dark: { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } },
} as const

/** What was changed is on the screen, and nothing moves any more: a busy machine paints late, and what lies behind a text is found
 * by its place. */
export const painted = (page: Page) =>
  page.evaluate(`new Promise((done) => {
    let before = ''
    const look = () => {
      const now = document.documentElement.scrollHeight + ' ' + document.body.innerHTML.length
      const isTurning = document.getAnimations().some((one) => one instanceof CSSTransition && one.playState === 'running')
      if (now === before && !isTurning) return done()
      before = now
      setTimeout(look, 100)
    }
    requestAnimationFrame(() => requestAnimationFrame(look))
  })`)

/** Of a page that was loaded: the title is there (or the place, where forms are filled in), and nothing is on its way any more. What
 * is asked for later is not waited for: a page is idle once. */
export const settled = async (page: Page): Promise<void> => {
  await page.waitForSelector('#page-title, main.place')
  await page.waitForLoadState('networkidle')
}

/** After something was done on a page of a walk: everything that it asked for has its answer, and for half a second nothing more
 * is asked for. */
export const quiet = async (page: Page): Promise<void> => {
  const traffic = trafficOf.get(page)
  if (traffic === undefined) throw new Error('The page is not of a walk: nobody counts what it asks for.')
  const since = performance.now()
  await expect
    .poll(() => traffic.asked.size === 0 && performance.now() - Math.max(since, traffic.changedAt) > 500)
    .toBe(true)
}

/** As a link of the page does it: without loading the application anew. */
export const goWithin = async (page: Page, path: string): Promise<void> => {
  const router = "document.querySelector('#app').__vue_app__.config.globalProperties.$router"
  await page.evaluate(`${router}.push(${JSON.stringify(path)}).then(() => undefined, () => undefined)`)
}

interface Found {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string | null
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
  }[]
}

/** By axe-core: each with the element and what it says of it. */
const seriousFaults = async (page: Page, rules: object): Promise<string[]> => {
  // Not as a script of the page: its policy allows none. Half a megabyte, once for each page that was loaded.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  const { violations } = (await page.evaluate(
    `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...rules })})`,
  )) as Found
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary = '' }) => `${id}: ${html}\n${failureSummary}`))
}

/** One server for a test file; pages end with their test. */
export const useWalk = (env: Record<string, string> = {}): Walk => {
  const walk = new Walk(env)
  beforeAll(() => walk.open())
  afterEach(() => walk.leave())
  afterAll(() => walk.close())
  return walk
}
