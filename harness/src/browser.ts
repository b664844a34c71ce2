// A real browser: the system's Chromium, or the one that `CHROMIUM` names; and a window of it in which somebody is signed in.
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'

/** Loaded when it is used: few of those who share this need it. */
export const openBrowser = async (): Promise<Browser> => {
  const { chromium } = await import('playwright-core')
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  })
}

export interface SignIn {
  readonly username: string
  readonly password: string
}

export const openSignedIn = async (
  browser: Browser,
  { username, password }: SignIn,
  options: BrowserContextOptions,
): Promise<BrowserContext> => {
  const context = await browser.newContext(options)
  const answer = await context.request.post('/accounts/session', { data: { username, password, stay: false } })
  if (!answer.ok()) throw new Error(`Signing in answered ${answer.status()}`)
  return context
}
