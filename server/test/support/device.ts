// A browser with a profile on the disk, as people have it: it can be closed, killed and opened again, and finds what it kept.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { chromiumFlags, chromiumPath } from './browser.js'

const keepSource = fileURLToPath(new URL('../../../web/src/fill/keep/index.ts', import.meta.url))

let bundled: Promise<string> | undefined

/** What keeps filled forms in the browser, as one file for a page to import. */
const keepBundle = (): Promise<string> => {
  bundled ??= (async () => {
    const made = await rolldown({ input: keepSource, logLevel: 'silent' })
    const { output } = await made.generate({ format: 'esm' })
    await made.close()
    return output[0].code
  })()
  return bundled
}

export class Device {
  readonly address: string
  #folder = ''
  #child: ChildProcess | undefined
  #browser: Browser | undefined
  context!: BrowserContext

  constructor(address: string) {
    this.address = address
  }

  /** Also after it was closed or killed. */
  async open(): Promise<this> {
    this.#folder ||= await mkdtemp(join(tmpdir(), 'sheaf-device-'))
    const child = spawn(
      chromiumPath,
      [...chromiumFlags, '--remote-debugging-port=0', `--user-data-dir=${this.#folder}`, 'about:blank'],
      { detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    this.#child = child
    let said = ''
    child.stderr.on('data', (chunk) => (said += chunk))
    let found: string | undefined
    while (found === undefined) {
      await once(child.stderr, 'data')
      found = /listening on (ws:\S+)/.exec(said)?.[1]
    }
    this.#browser = await chromium.connectOverCDP(found)
    const [context] = this.#browser.contexts()
    if (context === undefined) throw new Error('The browser has no profile.')
    this.context = context
    context.setDefaultTimeout(60_000)
    return this
  }

  async page(path: string): Promise<Page> {
    const page = await this.context.newPage()
    const body = await keepBundle()
    await page.route('**/keep.js', (route) => route.fulfill({ contentType: 'text/javascript', body }))
    await page.goto(this.address + path)
    return page
  }

  async signIn({ username, password }: { username: string; password: string }, stay = false): Promise<void> {
    const answer = await this.context.request.post(`${this.address}/accounts/session`, {
      data: { username, password, stay },
    })
    if (!answer.ok()) throw new Error(`Signing in answered ${answer.status()}: ${await answer.text()}`)
  }

  /** As the crash of a device: nobody is told, and all of its processes are gone. */
  kill(): Promise<void> {
    return this.#end((child) => process.kill(-(child.pid ?? 0), 'SIGKILL'))
  }

  /** As a person closes it. */
  close(): Promise<void> {
    const browser = this.#browser
    return this.#end(async () => {
      const session = await browser?.newBrowserCDPSession()
      await session?.send('Browser.close').catch(() => undefined)
    })
  }

  async #end(by: (child: ChildProcess) => unknown): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (child === undefined) return
    const isOver = child.exitCode !== null || child.signalCode !== null
    const over = isOver ? undefined : once(child, 'exit')
    if (!isOver) await by(child)
    await over
    await this.#browser?.close().catch(() => undefined)
  }

  async forget(): Promise<void> {
    await this.kill()
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
