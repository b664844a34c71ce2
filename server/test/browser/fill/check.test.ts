// Anybody drops a workbook at /f/check: mistakes at their cells, what it asks, and nothing leaves the browser.
import { readFileSync } from 'node:fs'
import { compile, readSheetsSync } from '@sheaf/xlsform'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasNoBrowser } from '../../support/browser.js'
import { namedSheet } from '../../support/fill.js'
import { sheet } from '../../support/forms.js'
import { quiet, useWalk } from '../../support/walk.js'
import { visitWorkbook, workbook, zipOf } from '../../support/workbooks.js'

const drop = (page: Page, name: string, content: string | Buffer) =>
  page.setInputFiles('.check .drop input', {
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(content),
  })

/** What the page says about the file as a whole. */
const said = (page: Page) => page.locator('.check section .notice').first()
const button = (page: Page, name: string) => page.locator('.check').getByRole('button', { name, exact: true })
const downloaded = async (page: Page, name: string) => {
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, name).click()])
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) }
}

describe.skipIf(hasNoBrowser)('checking a workbook (needs Chromium on the PATH)', () => {
  const walk = useWalk()

  /** What is asked of the server from now on. The worker that keeps the program for later is out of it. */
  const ready = async (): Promise<{ page: Page; asked: string[] }> => {
    const page = await walk.visitor('/f/check', { serviceWorkers: 'block', acceptDownloads: true })
    await page.waitForSelector('.check .drop')
    await quiet(page)
    const asked: string[] = []
    page
      .context()
      .on(
        'request',
        (request) => request.url().startsWith('blob:') || asked.push(`${request.method()} ${request.url()}`),
      )
    return { page, asked }
  }

  it('shows mistakes at their cell, then the form that works, and asks nothing of the server after a file is dropped', async () => {
    const { page, asked } = await ready()
    await drop(page, 'broken.csv', sheet('type,name,label\nintger,age,Age'))
    await page.waitForSelector('.problem:has-text("Unknown question type")')
    expect(await page.textContent('.problem td.meant')).toContain('intger')
    await drop(page, 'visit.csv', sheet('type,name,label\ninteger,age,Age'))
    await page.waitForSelector('.check .notice.good')
    expect(await page.textContent('.check ol')).toContain('age')
    await drop(page, 'visit.xlsx', visitWorkbook({ form_title: 'Visits' }))
    await page.waitForSelector('.check h2:has-text("Visits")')
    // It is a workbook already.
    expect(await button(page, 'Download as .xlsx').count()).toBe(0)
    expect(asked).toEqual([])
    await drop(page, 'broken.csv', sheet('type,name,label\nintger,age,Age'))
    await page.waitForSelector('.problem')
    await walk.check(page)
    await walk.pictures(page, 'check-broken')
  })

  it('tells what a file is that is no form, and goes on with the next', async () => {
    const { page, asked } = await ready()
    const zeros = Buffer.alloc(120 * 1024 * 1024)
    const told: [name: string, content: Buffer, words: RegExp][] = [
      ['photo.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0]), /neither a spreadsheet/],
      ['empty.xlsx', Buffer.alloc(0), /neither a spreadsheet/],
      ['letter.docx', zipOf('word/document.xml', Buffer.from('<w:document/>')), /no spreadsheet/],
      ['damaged.xlsx', Buffer.from([0x50, 0x4b, 3, 4, 1, 2, 3]), /damaged/],
      ['cut.xlsx', visitWorkbook().subarray(0, 900), /damaged/],
      ['old.xls', visitWorkbook({}, 'biff8'), /save it as \.xlsx/],
      ['bomb.xlsx', zipOf('xl/workbook.xml', zeros), /unpacks to more/],
      // Its directory says that it is small.
      ['liar.xlsx', zipOf('xl/workbook.xml', zeros, 1000), /unpacks to more/],
    ]
    for (const [name, content, words] of told) {
      await drop(page, name, content)
      await page.waitForSelector(`.check h2:has-text("${name}")`)
      expect([name, await page.textContent('.problem .what')]).toEqual([name, expect.stringMatching(words)])
      expect(await said(page).innerText()).toBe('1 mistake to mend')
    }
    await drop(page, 'visit.csv', sheet('type,name,label\ninteger,age,Age'))
    await page.waitForSelector('.check .notice.good')
    expect(asked).toEqual([])
    expect(walk.faults(page)).toEqual([])
  })

  it('takes a workbook of 5,000 questions, shows the first of them, and the mistakes that it has', async () => {
    const { page, asked } = await ready()
    const questions = Array.from({ length: 5000 }, (_, at) => [
      'integer',
      `q${at}`,
      `Question ${at}`,
      at === 0 ? '' : `\${q${at - 1}} > 1`,
    ])
    const rows = [['type', 'name', 'label', 'relevant'], ...questions]
    await drop(page, 'large.xlsx', workbook({ survey: rows }))
    await page.waitForSelector('.check .notice.good:has-text("It has 5,000 rows")')
    expect(await page.locator('.check ol li').count()).toBe(1000)
    await page.waitForSelector('text=The first 1,000 are shown.')
    const wrong = rows.map(([type, name, label, relevant], at) => [
      at > 4700 ? 'intger' : (type as string),
      name as string,
      label as string,
      relevant as string,
    ])
    await drop(page, 'wrong.xlsx', workbook({ survey: wrong }))
    await page.waitForSelector('.check .notice.fault:has-text("mistakes to mend")')
    expect(await page.locator('.problem').count()).toBe(200)
    await page.waitForSelector('text=The first 200 are shown.')
    expect(asked).toEqual([])
    expect(walk.faults(page)).toEqual([])
  })

  it('leaves a file that takes longer than 20 seconds, and one that somebody stops, and checks the next', async () => {
    const page = await walk.visitor('/f/outbox', { serviceWorkers: 'block' })
    // A worker that never answers, as on a file that takes for ever: ending it is all that helps.
    await page.route(/check\.worker/, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'addEventListener("message", () => { for (;;); })' }),
    )
    await page.clock.install()
    await page.goto('/f/check')
    await page.waitForSelector('.check .drop')
    const visit = sheet('type,name,label\ninteger,age,Age')
    await drop(page, 'slow.csv', visit)
    await page.waitForSelector('text=Checking…')
    await page.clock.fastForward(19_000)
    expect(await page.locator('text=Checking…').count()).toBe(1)
    await page.clock.fastForward(2000)
    await expect.poll(() => said(page).innerText()).toContain('longer than 20 seconds')
    await drop(page, 'stopped.csv', visit)
    await walk.check(page)
    await page.unroute(/check\.worker/)
    await button(page, 'Stop').click()
    await expect.poll(() => said(page).innerText()).toBe('Stopped. Nothing was checked.')
    await drop(page, 'visit.csv', visit)
    await page.waitForSelector('.check .notice.good')
    // The time of a file that was left is not counted for the next.
    await page.clock.fastForward(60_000)
    expect(await said(page).innerText()).toContain('The form works.')
    expect(walk.faults(page)).toEqual([])
  })

  it('has examples: one with mistakes, others that work, and each can be had as the workbook that was checked', async () => {
    const { page, asked } = await ready()
    await button(page, 'One with mistakes').click()
    await page.waitForSelector('.problem')
    const broken = await downloaded(page, 'Download as .xlsx')
    expect(broken.name).toMatch(/\.xlsx$/)
    await drop(page, broken.name, broken.bytes)
    await page.waitForSelector(`.check h2:has-text("${broken.name}")`)
    const before = await page.locator('.problem').allInnerTexts()
    expect(before.length).toBeGreaterThan(3)
    await button(page, 'Water point').click()
    await page.waitForSelector('.check .notice.good')
    const water = await downloaded(page, 'Download as .xlsx')
    const xform = await downloaded(page, 'Download the XForm')
    expect(compile(water.bytes).xform).toBe(xform.bytes.toString())
    expect(xform.name).toBe(water.name.replace('.xlsx', '.xml'))
    expect(readSheetsSync(water.bytes).map(({ name }) => name)).toEqual(['survey', 'choices', 'settings'])
    // The templates come when somebody wants one; what they hold is the server's own.
    expect(asked.filter((one) => !/^GET [^ ]+\/f\/assets\/[\w.-]+\.js$/.test(one))).toEqual([])
    await walk.check(page)
    await walk.pictures(page, 'check-example')
  })

  it('a cell that no workbook holds is told when a text is to be one', async () => {
    const { page } = await ready()
    await drop(page, 'long.csv', sheet(`type,name,label\nnote,long,${'a'.repeat(40_000)}`))
    await page.waitForSelector('.check .notice.good')
    await button(page, 'Download as .xlsx').click()
    await page.waitForSelector('.notice.fault:has-text("spreadsheet programs take at most 32767")')
    await walk.check(page)
  })

  it('names what cannot be done in a browser: questions that cannot be answered, forms that are encrypted', async () => {
    const { page, asked } = await ready()
    const pulse = 'type,name,label,appearance\ntext,pulse,Pulse,ex:org.example.pulse\ntext,name,Name,'
    await drop(page, 'pulse.csv', sheet(pulse))
    await page.waitForSelector('.check .notice.good')
    expect(await page.locator('.check .notice.warn').innerText()).toMatch(/cannot be answered in a browser\s+Pulse/)
    await drop(
      page,
      'secret.csv',
      namedSheet('secret', 'text,name,Name', { public_key: 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A' }),
    )
    await page.waitForSelector('.check .notice.fault:has-text("This form is encrypted")')
    await drop(page, 'plain.csv', namedSheet('plain'))
    await page.waitForSelector('.check h2:has-text("Form plain")')
    expect(await page.locator('.check .notice.warn, .check .notice.fault').count()).toBe(0)
    expect(asked).toEqual([])
  })

  it('shows the form itself without sending anything of it', async () => {
    const { page, asked } = await ready()
    await drop(page, 'seen.csv', namedSheet('seen', 'text,name,Name of the village'))
    await button(page, 'See the form').click()
    const frame = page.frameLocator('.check iframe')
    await frame.locator('label:has-text("Name of the village")').waitFor()
    await frame.locator('.question-container input').first().fill('Kabale')
    await frame.locator('.odk-form button:has-text("Send")').click()
    await frame.locator('text=This is a preview: nothing is sent.').waitFor()
    expect(asked.filter((one) => !one.startsWith('GET '))).toEqual([])
    expect(asked.filter((one) => /village|Kabale|seen/.test(one))).toEqual([])
    await drop(page, 'other.csv', namedSheet('other'))
    await page.waitForSelector('.check h2:has-text("Form other")')
    expect(await page.locator('.check iframe').count()).toBe(0)
    expect(walk.faults(page)).toEqual([])
  })

  it('of files that are dropped one after the other the last is shown, and nothing of it stays beside one that is too large', async () => {
    const { page } = await ready()
    // Reading the first takes until the second has been checked.
    await page.evaluate(`{
      const read = File.prototype.arrayBuffer
      File.prototype.arrayBuffer = function () {
        const content = read.call(this)
        return this.name === 'first.csv' ? new Promise((done) => { window.letGo = () => done(content) }) : content
      }
      const size = Object.getOwnPropertyDescriptor(Blob.prototype, 'size').get
      Object.defineProperty(File.prototype, 'size', {
        get() { return this.name === 'large.csv' ? 65_000_000 : size.call(this) },
      })
      window.shown = []
      const note = () => {
        const title = document.querySelector('.check section h2')?.textContent
        if (title !== undefined && title !== shown.at(-1)) shown.push(title)
      }
      new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true })
    }`)
    await drop(page, 'first.csv', namedSheet('first'))
    await page.waitForFunction('window.letGo !== undefined')
    await drop(page, 'second.csv', namedSheet('second'))
    await page.waitForSelector('.check h2:has-text("Form second")')
    await page.evaluate('window.letGo()')
    await drop(page, 'third.csv', namedSheet('third'))
    await page.waitForSelector('.check h2:has-text("Form third")')
    expect(await page.evaluate('shown')).toEqual(['Form second', 'Form third'])
    await drop(page, 'large.csv', namedSheet('large'))
    await expect.poll(() => said(page).innerText()).toContain('more than 64 MB')
    expect(await page.locator('.check ol').count()).toBe(0)
    expect(walk.faults(page)).toEqual([])
  })
})
