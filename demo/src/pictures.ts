// npm run pictures: pictures of the web application over the demo. A few of them are in the README; all of them are for looking.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openBrowser, openSignedIn, print } from '@sheaf/harness'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { apiOf, basic } from './api.js'
import type { Login } from './people.js'

const help = `npm run pictures -- [options]

Fills the demo and takes the pictures of the README.

  --all          every page instead: 1440, 1024 and 360 pixels wide, light and dark, in Arabic
  --only NAMES   of those, some: --only data,map
  --out FOLDER   where to; docs/pictures, with --all web/pictures
`

const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    only: { type: 'string' },
    out: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = values.out ?? join(root, values.all ? 'web/pictures' : 'docs/pictures')

interface Demo {
  readonly address: string
  readonly logins: readonly Login[]
  readonly forms: { readonly households: number; readonly water: number }
}

/** What is shown, by name; those before the door are seen by somebody who is not signed in. */
interface Places {
  readonly inside: Readonly<Record<string, string>>
  readonly outside: Readonly<Record<string, string>>
}

interface Found {
  readonly record: number
  readonly project: string
}

const placesOf = ({ forms }: Demo, { record, project }: Found): Places => {
  const form = `/forms/${forms.households}`
  return {
    outside: { welcome: '/', signin: '/signin', register: '/register', reset: '/reset', lost: '/nowhere' },
    inside: {
      home: '/',
      project: `/projects/${project}`,
      'project-people': `/projects/${project}/people`,
      'project-activity': `/projects/${project}/activity`,
      'project-settings': `/projects/${project}/settings`,
      overview: form,
      data: `${form}/data`,
      map: `${form}/map`,
      charts: `${form}/charts`,
      dashboard: `${form}/dashboard`,
      media: `${form}/media`,
      collect: `${form}/collect`,
      versions: `${form}/versions`,
      settings: `${form}/settings`,
      record: `${form}/records/${record}`,
      orgs: '/orgs',
      org: '/orgs/lakebasin',
      teams: '/orgs/lakebasin/teams',
      account: '/account',
      password: '/account/password',
      sessions: '/account/sessions',
      token: '/account/token',
      applications: '/account/applications',
      look: '/account/look',
      server: '/server',
      'server-people': '/server/people',
      'server-settings': '/server/settings',
      lost: '/forms/999999',
    },
  }
}

const wide = { width: 1440, height: 900 }
const phone = { width: 360, height: 740 }

interface Look {
  readonly name: string
  readonly viewport: { readonly width: number; readonly height: number }
  readonly isDark?: boolean
  readonly language?: string
}

const everyLook: readonly Look[] = [
  { name: '1440-light', viewport: wide },
  { name: '1440-dark', viewport: wide, isDark: true },
  { name: '1024-light', viewport: { width: 1024, height: 768 } },
  { name: '360-light', viewport: phone },
  { name: '360-dark', viewport: phone, isDark: true },
  { name: '1440-ar', viewport: wide, language: 'ar' },
  { name: '360-ar', viewport: phone, language: 'ar' },
]

/** Of the README: a page and a look each. */
const shown: readonly (readonly [string, Look])[] = [
  ['data', { name: 'light', viewport: wide }],
  ['map', { name: 'light', viewport: wide }],
  ['charts', { name: 'dark', viewport: wide, isDark: true }],
  ['dashboard', { name: 'light', viewport: wide }],
  ['record', { name: 'light', viewport: wide }],
  ['overview', { name: 'phone', viewport: phone }],
  ['data', { name: 'phone', viewport: phone }],
  ['home', { name: 'phone-dark', viewport: phone, isDark: true }],
]

const startDemo = async () => {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('./main.js', import.meta.url)), '--port', '0', '--json'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const [line] = await Promise.race([
    once(child.stdout, 'data'),
    text(child.stdout).then(() => Promise.reject(new Error('The demo ended'))),
  ])
  const stop = async () => {
    child.kill('SIGTERM')
    await once(child, 'close')
  }
  return { demo: JSON.parse(String(line)) as Demo, stop }
}

const settled = async (page: Page): Promise<void> => {
  await page.waitForSelector('#page-title')
  await page.waitForLoadState('networkidle')
  // Figures are drawn as they come into sight, and pictures are decoded after they have come.
  await page
    .waitForFunction('!document.querySelector(".coming, .skeleton, [aria-busy=true]")', undefined, { timeout: 30_000 })
    .catch(() => undefined)
}

const take = async (context: BrowserContext, name: string, path: string, look: Look): Promise<void> => {
  const page = await context.newPage()
  await page.setViewportSize(look.viewport)
  await page.emulateMedia({ colorScheme: look.isDark ? 'dark' : 'light', reducedMotion: 'reduce' })
  await page.addInitScript(`localStorage.setItem('sheaf-language', '${look.language ?? 'en'}')`)
  await page.goto(path)
  await settled(page)
  await page.screenshot({ path: join(folder, `${name}-${look.name}.png`), animations: 'disabled' })
  await page.close()
  print(`  ${name}-${look.name}.png\n`)
}

interface Listed {
  readonly _id: number
  readonly _attachments?: readonly unknown[]
}

/** A record with a photo, and the project of the form. */
const findIn = async ({ address, forms }: Demo, { username, password }: Login): Promise<Found> => {
  const api = apiOf(address, username, basic(username, password))
  const records = await api.get<Listed[]>(`/api/v1/data/${forms.households}?limit=50`)
  const { project } = await api.get<{ project: string }>(`/api/v1/forms/${forms.households}`)
  const best = records.find(({ _attachments: files = [] }) => files.length > 0) ?? records[0]
  return { record: best?._id ?? 0, project: project.split('/').at(-1) ?? '' }
}

const run = async (browser: Browser, demo: Demo): Promise<void> => {
  mkdirSync(folder, { recursive: true })
  const [amina] = demo.logins
  if (amina === undefined) throw new Error('The demo has nobody in it')
  const signedIn = await openSignedIn(browser, amina, { baseURL: demo.address })
  const visitor = await browser.newContext({ baseURL: demo.address })
  const { inside, outside } = placesOf(demo, await findIn(demo, amina))
  if (!values.all) {
    for (const [name, look] of shown) await take(signedIn, name, inside[name] ?? '/', look)
    return
  }
  const wanted = values.only?.split(',')
  for (const [places, context, prefix] of [
    [inside, signedIn, ''],
    [outside, visitor, 'outside-'],
  ] as const) {
    for (const [name, path] of Object.entries(places)) {
      if (wanted !== undefined && !wanted.includes(name)) continue
      for (const look of everyLook) await take(context, prefix + name, path, look)
    }
  }
}

if (values.help) print(help)
else {
  const { demo, stop } = await startDemo()
  const browser = await openBrowser()
  try {
    await run(browser, demo)
  } finally {
    await browser.close()
    await stop()
  }
}
