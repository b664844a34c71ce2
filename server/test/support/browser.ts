// A real browser: the system's Chromium. Where there is none, the tests that need it say so and are left out, except
// in continuous integration, where a missing browser is a fault.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'

/** The shell is the same engine without windows: with those, which nobody sees here, a page takes three times the work. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const folders = (process.env.PATH ?? '').split(delimiter)

const executablePath = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)

export const hasNoBrowser = executablePath === undefined && process.env.CI === undefined

export const chromiumPath = executablePath ?? 'chromium'

/** Chromium's own sandbox does not work for root; the background flags keep it from calling home. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The server by another name than this machine's: over http to it a page has no locks, no worker and no ids from the browser.
  '--host-resolver-rules=MAP sheaf.test 127.0.0.1',
]

/** `more`: switches of Chromium. */
export const openBrowser = (...more: string[]): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath, args: [...chromiumFlags, ...more] })

let browser: Promise<Browser> | undefined

/** For all files of this process: starting it takes longer than most pages. It ends with the process. */
export const sharedBrowser = (): Promise<Browser> => {
  browser ??= openBrowser()
  return browser
}

/** A page, and everything it should not have done: requests to other hosts, blocked or failing ones, script errors. */
export const watchedPage = async (browser: Browser, host: string): Promise<{ page: Page; faults: string[] }> => {
  const page = await browser.newPage()
  const faults: string[] = []
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== host) faults.push(`left for ${request.url()}`)
  })
  // The icon of a page that was left before it came is dropped by the browser itself.
  page.on('requestfailed', (request) => {
    const isDropped = request.failure()?.errorText === 'net::ERR_ABORTED' && request.url().endsWith('/favicon.svg')
    if (!isDropped) faults.push(`failed ${request.url()}`)
  })
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(error.message))
  return { page, faults }
}
