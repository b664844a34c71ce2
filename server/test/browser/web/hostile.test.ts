// A form as large and as hostile as the server takes it: 500 questions, 1,000 choices, titles of 255 characters, right-to-left
// labels, markup and templates in every text. Nothing runs, no page is wider than the screen, and every page can be used.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Account } from '../../support/app.js'
import { jpeg } from '../../support/attachments.js'
import { hasNoBrowser } from '../../support/browser.js'
import { publish } from '../../support/forms.js'
import { newProject } from '../../support/projects.js'
import { instance, newId, send } from '../../support/submissions.js'
import { goWithin, useWalk } from '../../support/walk.js'

const attack =
  '<img src=x onerror="document.title=1;window.attacked=true"> {{constructor.constructor(1)()}} javascript:alert(1)'
const arabic = 'ما هو اسم ربّ الأسرة التي تسكن في هذا المنزل'
const long = (text: string) => text.padEnd(255, 'x').slice(0, 255)
/** One word without a place to break it, one in Arabic, one with markup. */
const words = [
  (n: number) => long(`Question_${n}_`),
  (n: number) => `${arabic} ${n}؟ ${attack}`,
  (n: number) => `${n} ${attack}`,
]
const cell = (text: string) => `"${text.replaceAll('"', '""')}"`
const title = long(`${attack} ${arabic} `)

const workbook = () => {
  const kinds = ['text', 'integer', 'select_one many', 'select_multiple many', 'date']
  const questions = Array.from({ length: 494 }, (_one, n) => {
    const label = (words[n % words.length] as (n: number) => string)(n)
    return `,${kinds[n % kinds.length]},q${n},${cell(label)},${cell(`${arabic} ${n}`)}`
  })
  const choices = Array.from(
    { length: 1000 },
    (_one, n) => `,many,c${n},${cell(`${n} ${n % 2 ? arabic : attack}`)},${cell(`${arabic} ${n}`)}`,
  )
  return [
    'survey',
    ',type,name,label::English (en),label::العربية (ar)',
    `,begin group,g,${cell(title)},${cell(arabic)}`,
    `,geopoint,place,${cell(attack)},${cell(arabic)}`,
    `,image,photo,${cell(long('Photo_'))},${cell(arabic)}`,
    ...questions,
    ',end group,,,',
    `,begin repeat,kids,${cell(title)},${cell(arabic)}`,
    `,text,kname,${cell(attack)},${cell(arabic)}`,
    ',end repeat,,,',
    'choices',
    ',list_name,name,label::English (en),label::العربية (ar)',
    ...choices,
    'settings',
    ',form_id,form_title,version',
    `,hostile,${cell(title)},1`,
  ].join('\n')
}

describe.skipIf(hasNoBrowser)('large and hostile (needs Chromium on the PATH)', () => {
  const walk = useWalk()
  let ana: Account
  let at: string
  let record: string
  let project: string

  beforeAll(async () => {
    if (hasNoBrowser) return
    ana = await walk.app.account({
      username: 'ana',
      first_name: attack.slice(0, 30),
      last_name: long('Name').slice(0, 30),
    })
    const made = await newProject(walk.app, ana, { name: long(`${attack} project `) })
    const form = await publish(walk.app, ana, workbook(), { project: made })
    const picture = await jpeg(64, 48)
    const text = attack.replaceAll('<', '&lt;')
    const answers = (n: number) =>
      `<g><place>${-1 - n / 10} ${36 + n / 10} 0 5</place><photo>p.jpg</photo><q0>${text}${'y'.repeat(2000)}</q0><q1>${n}</q1><q2>c${n}</q2><q3>${Array.from({ length: 300 }, (_one, c) => `c${c}`).join(' ')}</q3><q5>${arabic} ${'ي'.repeat(500)}</q5><q490>${text}</q490></g><kids><kname>${text}</kname></kids>`
    for (let n = 0; n < 5; n += 1) {
      record = newId()
      const files = [{ name: 'p.jpg', content: picture, type: 'image/jpeg' }]
      const sent = await send(walk.app, ana, '/ana', instance(form, answers(n), { id: record }), files)
      expect(sent.statusCode).toBe(201)
    }
    at = `/forms/${form.formid}`
    project = `/projects/${made}`
    // The title by the API, too: a person may write what a workbook may.
    expect((await walk.app.as(ana)('PATCH', at, { body: { title } })).statusCode).toBe(200)
    await walk.app.as(ana)('POST', `/data/${form.formid}/${record}/labels`, { body: { tags: [attack.slice(0, 90)] } })
  })

  const pages = (): Record<string, readonly [path: string, shows: string]> => ({
    overview: [at, 'h2:has-text("Latest records")'],
    data: [`${at}/data`, '.line'],
    map: [`${at}/map?colour=g/q2`, '.sight li'],
    charts: [`${at}/charts`, 'article.chart h2'],
    dashboard: [`${at}/dashboard`, '.empty'],
    media: [`${at}/media`, '.tile img'],
    collect: [`${at}/collect`, 'svg.code path'],
    versions: [`${at}/versions`, 'article'],
    settings: [`${at}/settings`, '[name=title]'],
    people: [`${at}/settings/people`, '.people li, .empty, input[role=combobox]'],
    record: [`${at}/records/${record}`, '.answer'],
    project: [project, 'tbody tr'],
    home: ['/', '.project'],
  })
  const isNarrow = 'document.scrollingElement.scrollWidth <= document.scrollingElement.clientWidth'
  /** What sticks out, for whoever reads the failure. */
  const widest = `[...document.querySelectorAll('main *, header *')].filter((one) => one.getBoundingClientRect().right > document.scrollingElement.clientWidth + 1 || one.getBoundingClientRect().left < -1).slice(0, 3).map((one) => one.outerHTML.slice(0, 120))`

  const walkAll = async (page: Page, size: string) => {
    const wrong: string[] = []
    for (const [name, [path, shows]] of Object.entries(pages())) {
      await goWithin(page, path)
      await page.waitForSelector(shows).catch((error: unknown) => wrong.push(`${name}: ${error}`))
      await walk.picture(page, `hostile-${name}-${size}`)
      if (!(await page.evaluate(isNarrow))) wrong.push(`${name} is wider than ${size}: ${await page.evaluate(widest)}`)
      if (await page.evaluate('window.attacked === true')) wrong.push(`${name} ran what somebody wrote`)
    }
    expect([...wrong, ...walk.faults(page)]).toEqual([])
  }

  it.each([
    ['1440', { width: 1440, height: 900 }],
    ['360', { width: 360, height: 740 }],
  ])('on %s px no page runs anything, sticks out, or stays empty', async (size, viewport) => {
    const page = await walk.as(ana, '/', { viewport })
    await walkAll(page, size)
  })

  it('can be used: a question of 500 is found, a choice of 1,000 filtered by and changed, in Arabic too', async () => {
    const page = await walk.as(ana, `${at}/data`, { viewport: { width: 360, height: 740 } })
    await page.click('.filter button:has-text("Filter")')
    await page.fill('.filter-pop input', 'Question_492_')
    await expect.poll(() => page.locator('.filter-pop .option').count()).toBe(1)
    await page.fill('.filter-pop input', 'q2')
    await page.locator('.filter-pop .option[title*="g/q2"], .filter-pop .option:has([title$="g/q2"])').first().click()
    await page.fill('.filter-pop input[type=search]', '4 <img')
    await page.click('.filter-pop label:has-text("4 <img")')
    await page.waitForSelector('text=1 of 5 records')
    expect(await page.evaluate(isNarrow)).toBe(true)
    await page.keyboard.press('Escape')
    await goWithin(page, `${at}/records/${record}`)
    await page.locator('[aria-label^="Change the answer to: 2 <img"]').click()
    await page.selectOption('.edit select', 'c999')
    await page.click('.edit button[type=submit]')
    await page.waitForSelector('.edit', { state: 'detached' })
    await page.waitForSelector('.answer:has-text("999")')
    await page.evaluate("localStorage.setItem('sheaf-language', 'ar')")
    await page.reload()
    await page.waitForSelector('html[dir=rtl] .answer')
    expect(await page.evaluate(isNarrow)).toBe(true)
    await walk.check(page)
    expect(await page.evaluate('window.attacked')).toBeUndefined()
  })
})
