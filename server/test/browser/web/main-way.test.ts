// The main way, as one person walks it from the first minute to the end of a survey: register, project, form, records, table, filter,
// map, chart, dashboard, review, sharing, export, undo. Everything by clicks on the pages; records come from phones meanwhile.
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { runPendingJobs } from '../../../src/platform/jobs/index.js'
import type { Account } from '../../support/app.js'
import { hasNoBrowser } from '../../support/browser.js'
import { sheet } from '../../support/forms.js'
import { instance, send } from '../../support/submissions.js'
import { useWalk } from '../../support/walk.js'

const wells = sheet(
  `type,name,label
   text,village,Village
   select_one state,state,State of the well
   integer,depth,Depth
   geopoint,place,Where is it?`,
  {
    choices: 'list_name,name,label\nstate,dry,Dry\nstate,wet,Has water',
    settings: { form_id: 'wells', form_title: 'Wells' },
  },
)

describe.skipIf(hasNoBrowser)('the main way (needs Chromium on the PATH)', () => {
  const walk = useWalk()

  const phoneOf = async (username: string, password: string) => {
    const { api_token: apiToken } = (await walk.app.basic(username, password)('GET', '/user')).json()
    return async (village: string, state: string, depth: number, place: string) => {
      const markup = `<village>${village}</village><state>${state}</state><depth>${depth}</depth><place>${place} 0 5</place>`
      const answer = await send(
        walk.app,
        { apiToken } as Account,
        `/${username}`,
        instance({ id_string: 'wells' }, markup),
      )
      expect(answer.statusCode).toBe(201)
    }
  }
  const goTo = async (page: Page, tab: string) => {
    await page.click(`nav[aria-label="Pages of this form"] a:text-is("${tab}")`)
    await page.waitForURL(new RegExp(`/${tab.toLowerCase()}`))
  }
  const choose = (page: Page, text: string) =>
    page.setInputFiles('[role=dialog] input[type=file]', {
      name: 'wells.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(text),
    })

  it('from registering to the undo of a deletion, without leaving the pages', async () => {
    const ben = await walk.app.account({ username: 'ben' })
    const page = await walk.visitor('/')
    await page.click('a[href^="/register"]')
    await page.fill('[name=name]', 'Ana Silva')
    await page.fill('[name=username]', 'ana')
    await page.fill('[name=email]', 'ana@example.org')
    await page.fill('[name=new-password]', 'correct horse battery')
    await page.press('[name=new-password]', 'Enter')
    await page.waitForSelector('header .avatar')

    await page.click('button:has-text("New project"), .step:has-text("empty project") button')
    await page.fill('[role=dialog] [name=name]', 'Water of the north')
    await page.press('[role=dialog] [name=name]', 'Enter')
    await page.waitForURL(/\/projects\/\d+$/)
    const project = new URL(page.url()).pathname

    // The mistake is told by its place, and the mended file goes in without starting over.
    await page.click('main button:has-text("Upload")')
    await choose(page, wells.replace('integer,depth', 'integr,depth'))
    await page.waitForSelector('[role=dialog] td:has-text("column type")')
    await choose(page, wells)
    await page.click('[role=dialog] a:has-text("Open the form")')
    await page.waitForSelector('text=No records yet')
    const form = new URL(page.url()).pathname

    // Records arrive while the table is open: they announce themselves, and come when they are wanted.
    const phone = await phoneOf('ana', 'correct horse battery')
    await goTo(page, 'Data')
    await page.waitForSelector('text=No records yet')
    await phone('Aru', 'wet', 12, '-1.1 36.1')
    // An empty form looks for its first record by itself, and its lists with it: what came by then is there, the rest is told of.
    const come = async (words: string) => {
      await page.evaluate('dispatchEvent(new Event("focus"))')
      const [told, counted] = [page.locator('button.fresh'), page.locator(`text=${words}`)]
      await told.or(counted).first().waitFor()
      if (await told.isVisible()) await told.click()
      await counted.waitFor()
    }
    await come('1 record')
    await page.waitForSelector('.line:has-text("Aru"):has-text("Has water")')
    await phone('Bondo', 'dry', 30, '-1.2 36.2')
    await phone('Chemi', 'wet', 18, '-1.3 36.3')
    await come('3 records')

    await page.click('.filter button:has-text("Filter")')
    await page.fill('.filter-pop input', 'state')
    await page.keyboard.press('Enter')
    await page.click('.filter-pop label:has-text("Has water")')
    await page.waitForSelector('text=2 of 3 records')
    await page.keyboard.press('Escape')
    await page.waitForSelector('.line:has-text("Bondo")', { state: 'detached' })
    const filter = new URL(page.url()).search

    await goTo(page, 'Map')
    await page.waitForSelector('.leaflet-container canvas')
    await page.waitForSelector('.sight li >> nth=1')
    await goTo(page, 'Charts')
    const chart = page.locator('article.chart', { has: page.getByRole('heading', { name: 'State of the well' }) })
    await chart.locator('[role=slider] svg').waitFor()
    await page.getByRole('button', { name: 'More about “State of the well”' }).click()
    await page.getByRole('menuitem', { name: 'Keep on the dashboard' }).click()
    await page.waitForSelector('text=“State of the well” is on the dashboard.')
    await goTo(page, 'Dashboard')
    await page.waitForSelector('.board-grid h2:has-text("State of the well")')
    await page.waitForSelector('.board-grid [role=slider] svg')

    // The filter is in the address: whoever opens it sees the same records, and reviews one of them.
    await page.goto(`${form}/data${filter}`)
    await page.waitForSelector('text=2 of 3 records')
    await page.click('.line:has-text("Chemi") .number-link')
    await page.waitForSelector('aside .answer:has-text("Chemi")')
    await page.click('aside a:has-text("On its own page"), aside [aria-label="On its own page"]')
    await page.waitForURL(/\/records\//)
    await page.click('button:has-text("Reject")')
    await page.fill('textarea >> nth=0', 'The depth is that of another well')
    await page.click('button[type=submit]:has-text("Reject")')
    await page.waitForSelector('.chip:has-text("Rejected")')

    await page.goto(`${project}/people`)
    await page.fill('[name=who]', 'ben')
    await page.press('[name=who]', 'Enter')
    await page.waitForSelector('.list li:has-text("ben") select')
    const reader = await walk.as(ben, '/')
    await reader.click('.project a:has-text("Water of the north")')
    await reader.click('tbody a:has-text("Wells")')
    await reader.waitForSelector('text=3 records')

    await page.goto(`${form}/data`)
    await page.click('button:has-text("Export")')
    await page.selectOption('[role=dialog] select >> nth=1', 'csv')
    await page.click('[role=dialog] button:has-text("Make the file")')
    await page.waitForSelector('[role=dialog] progress')
    await runPendingJobs(walk.app.deps.db, walk.app.deps.jobs, walk.app.deps.log)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.click('[role=dialog] a:has-text("Download")'),
    ])
    const rows = await readFile(await file.path(), 'utf8')
    expect(['Aru', 'Bondo', 'Chemi'].every((village) => rows.includes(village))).toBe(true)
    await page.keyboard.press('Escape')

    await page.click('.line:has-text("Bondo") .tick input')
    await page.click('.chosen button:has-text("Delete")')
    await page.waitForSelector('text=2 records')
    await page.click('.toast:has-text("deleted") button:has-text("Undo")')
    await page.waitForSelector('text=3 records')
    await page.waitForSelector('.line:has-text("Bondo")')
    expect(walk.faults(page, /400/)).toEqual([])
    expect(walk.faults(reader)).toEqual([])
  })
})
