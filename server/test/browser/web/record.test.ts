// Two records one after the other, on a slow line and a line that breaks: what was typed or asked for one never reaches another.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Account } from '../../support/app.js'
import { hasNoBrowser } from '../../support/browser.js'
import { type PublishedForm, publish, sheet } from '../../support/forms.js'
import { newProject, share } from '../../support/projects.js'
import { instance, newId, send } from '../../support/submissions.js'
import { useWalk } from '../../support/walk.js'

const survey = `type,name,label
text,name,Name
integer,rooms,Rooms
decimal,height,Height
dateTime,moment,Moment
begin repeat,kids,Children
text,kname,Child
integer,kage,Age
end repeat,,`

const moment = '1969-12-31T23:59:59.999+14:00'

describe.skipIf(hasNoBrowser)('one record after another (needs Chromium on the PATH)', () => {
  const walk = useWalk()
  let [ana, joe] = [] as unknown as [Account, Account]
  let form: PublishedForm

  type Data = Record<string, unknown> & { _id: number; _tags: string[] }
  const at = (path: string) => `/forms/${form.formid}${path}`
  const recordOf = async (uuid: string) => (await walk.app.as(ana)('GET', `/data/${form.formid}/${uuid}`)).json<Data>()
  const notesOf = async (uuid: string) => {
    const { _id } = await recordOf(uuid)
    const notes = await walk.app.as(ana)('GET', `/notes?instance=${_id}`)
    return notes.json<{ note: string; owner: string }[]>()
  }
  const sent = async (name: string): Promise<string> => {
    const id = newId()
    const markup = `<name>${name}</name><rooms>3</rooms><height>1.5</height><moment>${moment}</moment>
      <kids><kname>Bo</kname><kage>4</kage></kids><kids><kname>Cleo</kname><kage>6</kage></kids><kids><kname>Di</kname><kage>8</kage></kids>`
    const answer = await send(walk.app, ana, `/${ana.username}`, instance(form, markup, { id }))
    if (answer.statusCode !== 201) throw new Error(answer.body)
    return id
  }
  /** Two records that a filter has alone, the first first, and the page of the first. */
  const two = async (): Promise<{ page: Page; first: string; second: string }> => {
    const word = newId().slice(-8)
    const [first, second] = [await sent(`A ${word}`), await sent(`B ${word}`)]
    const page = await walk.as(ana, at(`/records/${first}?search=${word}&sort=_id`))
    await page.waitForSelector('text=1 of 2')
    return { page, first, second }
  }
  const shows = (page: Page, letter: string) =>
    page.waitForSelector(`h2.title:has-text("#"), .answer:has-text("${letter} ")`)
  const onward = async (page: Page) => {
    await page.click('[aria-label="Next record"]')
    await page.waitForSelector('text=2 of 2')
    await shows(page, 'B')
  }
  const back = async (page: Page) => {
    await page.click('[aria-label="Previous record"]')
    await page.waitForSelector('text=1 of 2')
    await shows(page, 'A')
  }
  const begin = async (page: Page, question: string, value: string) => {
    await page.click(`button[aria-label="Change the answer to: ${question}"]`)
    await page.fill('.edit .input', value)
  }
  /** Calls of a kind wait until they are let go. */
  const hold = async (page: Page, method: string) => {
    let letGo = () => {}
    const gate = new Promise<void>((open) => {
      letGo = open
    })
    await page.route('**/api/v1/**', async (route) => {
      if (route.request().method() === method) await gate
      await route.continue()
    })
    return () => letGo()
  }

  beforeAll(async () => {
    ana = await walk.app.account()
    joe = await walk.app.account()
    const project = await newProject(walk.app, ana)
    form = await publish(walk.app, ana, sheet(survey, { settings: { form_id: 'steps' } }), { project })
    await share(walk.app, ana, project, joe.username, 'editor')
  })

  it('an answer that is saved late belongs to the record that it was asked for, on the page and in the panel', async () => {
    const { page, first, second } = await two()
    const letGo = await hold(page, 'PATCH')
    await begin(page, 'Rooms', '11')
    await page.click('.edit button[type=submit]')
    await onward(page)
    letGo()
    await page.waitForSelector('text=The answer is changed.')
    expect((await recordOf(first)).rooms).toBe('11')
    await page.waitForSelector('.answer:has-text("Rooms") >> text=3')
    await begin(page, 'Rooms', '12')
    await page.click('.edit button[type=submit]')
    await page.waitForSelector('.answer:has-text("Rooms") >> text=12')
    expect([(await recordOf(first)).rooms, (await recordOf(second)).rooms]).toEqual(['11', '12'])

    await page.unroute('**/api/v1/**')
    const word = String((await recordOf(first)).name).slice(2)
    await page.goto(at(`/data?search=${word}&sort=_id&record=${first}`))
    await page.waitForSelector('aside .answer:has-text("A ")')
    const letPanelGo = await hold(page, 'PATCH')
    await begin(page, 'Rooms', '21')
    await page.click('.edit button[type=submit]')
    await page.click('aside [aria-label="Next record"]')
    await page.waitForSelector('aside .answer:has-text("B ")')
    letPanelGo()
    await page.waitForSelector('text=The answer is changed.')
    await page.waitForSelector('aside .answer:has-text("Rooms") >> text=12')
    expect([(await recordOf(first)).rooms, (await recordOf(second)).rooms]).toEqual(['21', '12'])
  })

  it('"Undo" takes back what was done, where it was done: labels and notes', async () => {
    const { page, first, second } = await two()
    await page.fill('[placeholder="Add a label"]', 'urgent')
    await page.press('[placeholder="Add a label"]', 'Enter')
    await page.click('[aria-label="Remove the label urgent"]')
    await page.waitForSelector('text=The label urgent is removed')
    await onward(page)
    await page.click('button:has-text("Undo")')
    await expect.poll(async () => (await recordOf(first))._tags).toEqual(['urgent'])
    expect((await recordOf(second))._tags).toEqual([])
    await back(page)
    await page.fill('.write textarea', 'mine')
    await page.click('.write button')
    await page.click('[aria-label="Delete this note"]')
    await page.waitForSelector('text=The note is deleted')
    await onward(page)
    await page.locator('button:has-text("Undo")').last().click()
    await expect.poll(async () => (await notesOf(first)).map(({ note }) => note)).toEqual(['mine'])
    expect(await notesOf(second)).toEqual([])
  })

  it('each record keeps what was typed for it: answers, a note, a label, a reason', async () => {
    const { page, first, second } = await two()
    await page.click('button:has-text("Reject")')
    await page.fill('.side-card textarea >> nth=0', 'no photo')
    await page.fill('.write textarea', 'for A')
    await page.fill('[placeholder="Add a label"]', 'of A')
    await begin(page, 'Name', 'half typed')
    await onward(page)
    expect([
      await page.inputValue('.write textarea'),
      await page.inputValue('[placeholder="Add a label"]'),
      await page.locator('.edit').count(),
      await page.locator('button[type=submit]:has-text("Reject")').count(),
    ]).toEqual(['', '', 0, 0])
    await page.waitForSelector('text=is not saved')
    await begin(page, 'Rooms', '77')
    await back(page)
    expect([
      await page.inputValue('.side-card textarea >> nth=0'),
      await page.inputValue('.write textarea'),
      await page.inputValue('[placeholder="Add a label"]'),
      await page.inputValue('.edit textarea'),
    ]).toEqual(['no photo', 'for A', 'of A', 'half typed'])
    // Opening another answer loses nothing either.
    await page.click('button[aria-label="Change the answer to: Rooms"]')
    expect(await page.inputValue('.edit textarea')).toBe('half typed')
    await page.click('.edit:has(textarea) button[type=submit]')
    await expect.poll(async () => (await recordOf(first)).name).toBe('half typed')
    expect([await notesOf(second), (await recordOf(second)).rooms]).toEqual([[], '3'])
  })

  it('an entry that moved meanwhile is found again; one that went is told of, and nothing is written', async () => {
    const { page, first } = await two()
    const { kids } = (await recordOf(first)) as unknown as { kids: Record<string, string>[] }
    const patch = (body: object) => walk.app.as(ana)('PATCH', `/data/${form.formid}/${first}`, { body })
    await page.hover('.scroll tr:has-text("Cleo") td >> nth=1')
    await page.click('.scroll tr:has-text("Cleo") td >> nth=1 >> button')
    await page.fill('.cell-edit .input', '60')
    expect((await patch({ kids: kids.slice(1) })).statusCode).toBe(200)
    await page.press('.cell-edit .input', 'Enter')
    await page.waitForSelector('text=Somebody changed this record')
    expect(await page.inputValue('.scroll tr:has-text("1") .cell-edit .input')).toBe('60')
    await page.click('.cell-edit button:has-text("Save mine")')
    await page.waitForSelector('.cell-edit', { state: 'detached' })
    expect((await recordOf(first)).kids).toMatchObject([
      { 'kids/kname': 'Cleo', 'kids/kage': '60' },
      { 'kids/kname': 'Di', 'kids/kage': '8' },
    ])
    await page.hover('.scroll tr:has-text("Cleo") td >> nth=1')
    await page.click('.scroll tr:has-text("Cleo") td >> nth=1 >> button')
    await page.fill('.cell-edit .input', '61')
    expect((await patch({ kids: kids.slice(2) })).statusCode).toBe(200)
    await page.press('.cell-edit .input', 'Enter')
    await page.waitForSelector('text=is not there any more')
    expect(await page.inputValue('.lost input')).toBe('61')
    expect((await recordOf(first)).kids).toMatchObject([{ 'kids/kname': 'Di', 'kids/kage': '8' }])
    await walk.check(page, /409/)
    await page.click('.lost button:has-text("Discard")')
    await page.waitForSelector('.lost', { state: 'detached' })
  })

  it('somebody else’s note is deleted after a question, without an undo that would make it one’s own', async () => {
    const { page, first } = await two()
    const { _id } = await recordOf(first)
    await walk.app.as(joe)('POST', '/notes', { body: { instance: _id, note: 'from Joe' } })
    await page.reload()
    await page.click('[aria-label="Delete this note"]')
    await page.waitForSelector(`[role=dialog]:has-text("${joe.username}")`)
    await page.click('[role=dialog] button:has-text("Delete")')
    await page.waitForSelector('text=The note is deleted')
    expect(await page.locator('button:has-text("Undo")').count()).toBe(0)
    expect(await notesOf(first)).toEqual([])
  })

  it('a note whose answer was lost is stored once, and the page says that it does not know', async () => {
    const { page, first } = await two()
    let isLost = false
    await page.route('**/api/v1/notes', async (route) => {
      if (route.request().method() !== 'POST' || isLost) return route.continue()
      isLost = true
      await route.fetch()
      await route.abort('connectionreset')
    })
    await page.fill('.write textarea', 'once')
    await page.click('.write button')
    await page.waitForSelector('.write >> text=not known whether')
    await page.click('.write button')
    await expect.poll(() => page.inputValue('.write textarea')).toBe('')
    expect((await notesOf(first)).map(({ note }) => note)).toEqual(['once'])
  })

  it('saving without a change sends nothing; numbers are read as the person writes them, and refused in their language', async () => {
    const { page, first } = await two()
    const calls: string[] = []
    page.on('request', (request) => request.method() === 'PATCH' && calls.push(request.url()))
    await page.click('button[aria-label="Change the answer to: Moment"]')
    await page.click('.edit button[type=submit]')
    await page.waitForSelector('.edit', { state: 'detached' })
    expect([calls, (await recordOf(first)).moment]).toEqual([[], moment])
    await page.evaluate("localStorage.setItem('sheaf-language', 'fr')")
    await page.reload()
    await page.waitForSelector('.answer')
    await page.click('.answer:has-text("Height") .change')
    expect(await page.inputValue('.edit .input')).toBe('1,5')
    await page.fill('.edit .input', '2,75')
    await page.press('.edit .input', 'Enter')
    await expect.poll(async () => (await recordOf(first)).height).toBe('2.75')
    await page.waitForSelector('.edit', { state: 'detached' })
    await page.click('.answer:has-text("Rooms") .change')
    await page.fill('.edit .input', '1,5')
    await page.press('.edit .input', 'Enter')
    await page.waitForSelector('.edit >> text=nombre entier')
    await page.fill('.edit .input', '٤٢')
    await page.press('.edit .input', 'Enter')
    await expect.poll(async () => (await recordOf(first)).rooms).toBe('42')
  })

  it('saving to a record that was deleted meanwhile says so, and keeps what was typed', async () => {
    const { page, first } = await two()
    const { _id } = await recordOf(first)
    await begin(page, 'Name', 'too late')
    await page.fill('.write textarea', 'a note too late')
    expect((await walk.app.as(ana)('DELETE', `/data/${form.formid}/${_id}`)).statusCode).toBe(204)
    await page.click('.edit button[type=submit]')
    await page.waitForSelector('.edit >> text=was deleted')
    expect(await page.inputValue('.edit textarea')).toBe('too late')
    await page.click('.write button')
    await page.waitForSelector('.write >> text=was deleted')
    expect(await page.inputValue('.write textarea')).toBe('a note too late')
  })
})
