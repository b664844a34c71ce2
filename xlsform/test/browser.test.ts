// The entries for browsers in a real one: in a worker, where a page may load its own scripts and do nothing else.
import { accessSync, constants } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compile } from '../src/compile.js'
import type { RawSheet } from '../src/sheets.js'
import { compileSheets, gridOf, sheetOf } from '../src/sheets.js'
import { readSheetsSync } from '../src/workbook/read-workbook.js'
import { writeWorkbook } from '../src/workbook.js'
import { bundleForBrowser } from './support/bundle.js'
import { corpus, type Outcome, outcomeOf } from './support/outcomes.js'
import { type Cells, workbook } from './support/workbooks.js'

const workerSource = `
import { compileSheets } from '@sheaf/xlsform/sheets'
import { compileWorkbook, readSheets, writeWorkbook } from '@sheaf/xlsform/workbook'
const bytesOf = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0))
const works = {
  compile: (bytes, options) => compileWorkbook(bytesOf(bytes), options),
  sheets: (bytes) => readSheets(bytesOf(bytes)),
  compileSheets: (sheets, options) => compileSheets(sheets, options),
  write: async (sheets) => Array.from(await writeWorkbook(sheets)),
}
self.onmessage = async ({ data: [kind, ...given] }) => {
  try {
    self.postMessage(await works[kind](...given))
  } catch (error) {
    self.postMessage(error.problems === undefined ? String(error) : { problems: error.problems })
  }
}`

const pageSource = `
const worker = new Worker('/worker.js', { type: 'module' })
window.ask = (...work) => new Promise((done, failed) => {
  worker.onmessage = ({ data }) => done(data)
  worker.onerror = ({ message }) => failed(new Error(message))
  worker.postMessage(work)
})`

const executablePath = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  .flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)))
  .find((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })

const served = async (files: Record<string, [type: string, body: string]>): Promise<Server> => {
  const server = createServer((request, response) => {
    const [type, body] = files[request.url ?? ''] ?? ['text/plain', '']
    response.writeHead(body === '' ? 404 : 200, {
      'content-type': type,
      'content-security-policy': "default-src 'none'; script-src 'self'; worker-src 'self'",
    })
    response.end(body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return server
}

/** 500 questions, and a mistake in every 25th. */
const manyQuestions = (): RawSheet[] => {
  const rows = Array.from({ length: 500 }, (_, index) => [
    index % 5 === 0 ? 'select_one yn' : 'integer',
    `q${index}`,
    `Question ${index}`,
    `Question numéro ${index}`,
    index === 0 ? '' : `\${q${index - 1}} != '' and \${${index % 25 === 0 ? 'nobody' : 'q0'}} > 1`,
  ])
  return [
    sheetOf('survey', [['type', 'name', 'label::English (en)', 'label::French (fr)', 'relevant'], ...rows]),
    sheetOf('choices', [
      ['list_name', 'name', 'label::English (en)'],
      ['yn', 'y', 'Yes'],
      ['yn', 'n', 'No'],
    ]),
  ]
}

describe.skipIf(executablePath === undefined && process.env.CI === undefined)('in Chromium', () => {
  let browser: Browser
  let server: Server
  let page: Page
  const faults: string[] = []

  beforeAll(async () => {
    const { code } = await bundleForBrowser(workerSource)
    server = await served({
      '/': ['text/html', '<!doctype html><title>Forms</title><script src="/page.js"></script>'],
      '/page.js': ['text/javascript', pageSource],
      '/worker.js': ['text/javascript', code],
    })
    browser = await chromium.launch({
      executablePath: executablePath ?? 'chromium',
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
    })
    page = await browser.newPage()
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('favicon')) faults.push(message.text())
    })
    page.on('pageerror', (error) => faults.push(error.message))
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    server?.closeAllConnections()
    server?.close()
  })

  /** What the worker answers, as JSON has it. */
  const ask = (...work: unknown[]): Promise<unknown> =>
    page.evaluate(
      (given) => (globalThis as unknown as { ask: (...all: unknown[]) => Promise<unknown> }).ask(...given),
      work,
    )

  const inBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
  const inJson = (value: Outcome | RawSheet[]): unknown => JSON.parse(JSON.stringify(value))

  it('every form of the corpus compiles to the same form as in Node, from .xlsx', async () => {
    for (const [fileName, bytes] of corpus) {
      const sheets = readSheetsSync(bytes).map((sheet): [string, Cells] => [sheet.name, gridOf(sheet)])
      const book = workbook(Object.fromEntries(sheets))
      const expected = inJson(outcomeOf(() => compile(book, { fileName })))
      expect(await ask('compile', inBase64(book), { fileName }), fileName).toEqual(expected)
    }
  })

  it('every form of the corpus compiles to the same form as in Node, from text', async () => {
    for (const [fileName, bytes] of corpus)
      expect(await ask('compile', inBase64(bytes), { fileName }), fileName).toEqual(
        inJson(outcomeOf(() => compile(bytes, { fileName }))),
      )
  })

  it('a sheet of 500 questions has the same problems, and mended the same XForm, as in Node', async () => {
    const wrong = manyQuestions()
    const found = inJson(outcomeOf(() => compileSheets(wrong)))
    expect(found).toMatchObject({ problems: { length: 19 } })
    expect(await ask('compileSheets', wrong)).toEqual(found)
    const right: RawSheet[] = JSON.parse(JSON.stringify(wrong).replaceAll('nobody', 'q0'))
    const compiled = inJson(outcomeOf(() => compileSheets(right)))
    expect(compiled).toMatchObject({ formId: 'data' })
    expect(await ask('compileSheets', right)).toEqual(compiled)
  })

  it('a workbook that is written there is the one that Node writes, and is read back', async () => {
    const sheets = [...manyQuestions(), sheetOf('notes', [[' =1+1', 'a\r\nb', '\u0001_x0041_😀']])]
    const written = Uint8Array.from((await ask('write', sheets)) as number[])
    expect(readSheetsSync(written)).toEqual(sheets)
    expect(await ask('sheets', inBase64(written))).toEqual(inJson(sheets))
    expect(readSheetsSync(await writeWorkbook(sheets))).toEqual(readSheetsSync(written))
  })

  it('an .xls file is refused with a word on what to do', async () => {
    const legacy = workbook({ survey: [['type', 'name']] }, 'biff8')
    expect(await ask('compile', inBase64(legacy))).toMatchObject({
      problems: [{ code: 'legacy-file', message: expect.stringContaining('save it as .xlsx') }],
    })
  })

  it('a damaged file is told as in Node', async () => {
    const book = workbook({
      survey: [
        ['type', 'name', 'label'],
        ['text', 'a', 'A'],
      ],
    })
    const damaged = book.slice()
    damaged.fill(0x55, 60, 200)
    const expected = inJson(outcomeOf(() => compile(damaged)))
    expect(expected).toMatchObject({ problems: [{ code: 'unreadable-file' }] })
    expect(await ask('compile', inBase64(damaged))).toEqual(expected)
    const cut = book.subarray(0, book.length - 40)
    expect(await ask('compile', inBase64(cut))).toEqual(inJson(outcomeOf(() => compile(cut))))
  })

  it('nothing was against the rules of the page', () => {
    expect(faults).toEqual([])
  })
})

describe('what browsers load', () => {
  it.each([
    ['sheets', 36],
    ['workbook', 42],
    ['language', 12],
    ['form', 2],
  ])('of %s needs nothing of Node and stays under %i kB', async (entry, most) => {
    const { code, missing, kilobytes } = await bundleForBrowser(`export * from '@sheaf/xlsform/${entry}'`)
    expect(missing).toEqual([])
    expect(code).not.toMatch(/\b(?:Buffer|process|require|eval|Function)\b[.(]/)
    expect(kilobytes).toBeLessThan(most)
  })
})
