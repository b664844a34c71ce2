// Kinds of questions that the renderer does not have, has in English alone, or answers of which it would lose.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Account } from '../../support/app.js'
import { hasNoBrowser } from '../../support/browser.js'
import { answer, formShown, pixel, question, send } from '../../support/fill.js'
import { publish, sheet } from '../../support/forms.js'
import { newProject } from '../../support/projects.js'
import { useWalk } from '../../support/walk.js'

describe.skipIf(hasNoBrowser)('kinds of questions (needs Chromium on the PATH)', () => {
  const walk = useWalk()
  let ana: Account
  let project: number

  beforeAll(async () => {
    ana = await walk.app.account({ username: 'ana' })
    project = await newProject(walk.app, ana, { name: 'Kinds' })
  })

  const bluePicture = async (page: Page) =>
    Buffer.from(
      (await page.evaluate(`(() => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 200, height: 100 })
        const drawing = canvas.getContext('2d')
        drawing.fillStyle = 'rgb(0, 0, 255)'
        drawing.fillRect(0, 0, 200, 100)
        return canvas.toDataURL('image/png').split(',')[1]
      })()`)) as string,
      'base64',
    )

  /** Whether most of it is blue, and some of it red; and how large it is. */
  const coloursOf = (page: Page, bytes: Buffer) =>
    page.evaluate(`(async () => {
      const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), (one) => one.charCodeAt(0))
      const picture = await createImageBitmap(new Blob([bytes]))
      const { width, height } = picture
      const drawing = new OffscreenCanvas(width, height).getContext('2d')
      drawing.drawImage(picture, 0, 0)
      const { data } = drawing.getImageData(0, 0, width, height)
      const counts = { blue: 0, red: 0 }
      for (let at = 0; at < data.length; at += 4) {
        if (data[at + 2] > 180 && data[at] < 90) counts.blue += 1
        if (data[at] > 180 && data[at + 2] < 90) counts.red += 1
      }
      return { width, height, isMostlyBlue: counts.blue > width * height * 0.8, hasRed: counts.red > 20 }
    })()`)

  /** Of pictures in the browser. */
  const keptTypes = (page: Page) =>
    page.evaluate(`new Promise((done) => {
      indexedDB.open('sheaf-fill').onsuccess = ({ target }) => {
        target.result.transaction('pictures').objectStore('pictures').getAll().onsuccess = (all) =>
          done(all.target.result.map(({ blob }) => blob.type).sort())
      }
    })`)

  it('of a range that stands upright the least number is below; wide screens have the head of wide screens', async () => {
    const text = sheet('type,name,label,appearance,parameters\nrange,level,Level,vertical,start=0 end=10 step=1', {
      settings: { form_id: 'upright', form_title: 'Upright' },
    })
    const { formid } = await publish(walk.app, ana, text, { project })
    const page = await walk.as(ana, `/f/ana/${formid}`)
    await formShown(page)
    const [least, most] = await Promise.all(
      ['.range-min', '.range-max'].map((name) => page.locator(name).boundingBox()),
    )
    expect(least?.y).toBeGreaterThan(most?.y ?? Number.NaN)
    expect(await page.locator('.larger-screens').isVisible()).toBe(true)
    expect(await page.locator('.smaller-screens').isVisible()).toBe(false)
    await walk.picture(page, 'fill-upright')
  })

  it('a picture that is annotated lies beneath what is drawn, and what is drawn is kept without a further press', async () => {
    const text = sheet('type,name,label,appearance\nimage,wound,Wound,annotate', {
      settings: { form_id: 'annotated', form_title: 'Annotated' },
    })
    const { formid } = await publish(walk.app, ana, text, { project })
    const page = await walk.as(ana, `/f/ana/${formid}`)
    await formShown(page)
    const wound = question(page, 'Wound')
    const file = { name: 'wound.png', mimeType: 'image/png', buffer: await bluePicture(page) }
    await wound.locator('input[type=file]').last().setInputFiles(file)
    const pad = wound.locator('canvas[width="200"]')
    await pad.scrollIntoViewIfNeeded()
    await walk.check(page)
    const box = (await pad.boundingBox()) ?? { x: 0, y: 0 }
    await page.mouse.move(box.x + 20, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(box.x + 120, box.y + 80, { steps: 5 })
    await page.mouse.up()
    await walk.picture(page, 'fill-annotate')
    // The picture itself stays until the form is finished: its question may be hidden and shown again.
    await expect.poll(() => keptTypes(page)).toEqual(['image/jpeg', 'image/png'])
    await page.reload()
    await wound.locator('img').waitFor()
    await wound.locator('button', { hasText: 'Draw on it' }).click()
    await pad.waitFor()
    await wound.locator('button', { hasText: 'OK' }).click()
    await send(page)
    await page.waitForSelector('.thanks.sent')
    const [record] = (await walk.app.as(ana)('GET', `/data/${formid}`)).json()
    const [{ download_url: address }] = record._attachments
    const stored = await walk.app.page('GET', address, { headers: { authorization: `Token ${ana.apiToken}` } })
    expect(record._attachments).toHaveLength(1)
    expect(await coloursOf(page, stored.rawPayload)).toEqual({
      width: 200,
      height: 100,
      isMostlyBlue: true,
      hasRed: true,
    })
    expect(walk.faults(page)).toEqual([])
  })

  it('maps of a form speak the language of the page', async () => {
    const text = sheet(
      'type,name,label,appearance\ngeotrace,way,Way,\ngeoshape,field,Field,\ngeopoint,well,Well,placement-map',
      { settings: { form_id: 'maps', form_title: 'Maps' } },
    )
    const { formid } = await publish(walk.app, ana, text, { project })
    const page = await walk.as(ana, '/')
    await page.evaluate("localStorage.setItem('sheaf-language', 'fr')")
    await page.goto(`/f/ana/${formid}`)
    await formShown(page)
    const words = async () =>
      (await page.evaluate(`[...document.querySelectorAll('.question-container')].map((one) =>
        [one.innerText, ...[...one.querySelectorAll('[title]')].map(({ title }) => title)].join(' ')).join(' ')`)) as string
    await expect.poll(words).toMatch(/Pas encore de ligne|La carte ne peut pas être dessinée/)
    await walk.picture(page, 'fill-maps-fr')
    expect(await words()).not.toMatch(
      /\b(saved|Zoom to|Zoom in|Zoom out|Full Screen|Delete|Tap to|Undo|Advanced|Graphics|Press and)\b/,
    )
    expect(walk.faults(page)).toEqual([])
  })

  it('entries beyond a count are there again when the count is corrected, also after a reload; beyond it they are not sent', async () => {
    const survey = `type,name,label,repeat_count,default,choice_filter
integer,n,How many,,,
begin repeat,kid,Kid,${'${n}'},,
text,first,First,,,
date,seen,Seen,,today(),
select_one toys,toy,Toy,,,first = ${'${first}'}
image,photo,Photo,,,
integer,pets,Pets,,,
begin repeat,pet,Pet,${'${pets}'},,
text,call,Call,,,
end repeat,,,,,
end repeat,,,,,`
    const counted = sheet(survey, {
      choices: 'list_name,name,label,first\ntoys,ball,Ball,Zoe\ntoys,kite,Kite,Ann',
      settings: { form_id: 'counted' },
    })
    const { formid } = await publish(walk.app, ana, counted, { project })
    const page = await walk.as(ana, `/f/ana/${formid}`)
    await formShown(page)
    const count = async (text: string) => {
      await answer(page, 'How many', text)
      await page.waitForSelector('.draft-state:has-text("Kept in this browser")')
    }
    const field = (label: string, at: number) =>
      page
        .locator('.question-container')
        .filter({ has: page.locator('label', { hasText: label }) })
        .nth(at)
        .locator('input')
        .last()
    const give = async (label: string, at: number, text: string) => {
      await field(label, at).press('ControlOrMeta+a')
      await field(label, at).pressSequentially(text)
      await field(label, at).press('Tab')
    }
    await count('2')
    await give('First', 0, 'Ann')
    await give('First', 1, 'Zoe')
    await give('Seen', 1, '2001-02-03')
    await page.locator('label', { hasText: 'Ball' }).last().click()
    await field('Photo', 1).setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: pixel })
    await give('Pets', 1, '2')
    await give('Call', 1, 'Rex')
    // Each key counts: there is one entry for a moment.
    await count('12')
    await expect.poll(() => field('First', 1).inputValue()).toBe('Zoe')
    for (const entries of ['1', '0']) {
      await count(entries)
      await page.reload()
      await formShown(page)
    }
    expect(await question(page, 'First').count()).toBe(0)
    await count('2')
    await send(page)
    await page.waitForSelector('.thanks.sent')
    await page.click('.thanks button')
    await formShown(page)
    await count('2')
    await give('First', 1, 'Beyond')
    await count('1')
    await send(page)
    await page.waitForSelector('.thanks.sent')
    const records = (await walk.app.as(ana)('GET', `/data/${formid}?sort={"_id":1}`)).json()
    const kid = {
      'kid/first': 'Zoe',
      'kid/seen': '2001-02-03',
      'kid/toy': 'ball',
      'kid/pets': '2',
      'kid/pet': [{}, { 'kid/pet/call': 'Rex' }],
    }
    expect(records).toMatchObject([
      { kid: [{ 'kid/first': 'Ann' }, kid], _attachments: [{}], _media_all_received: true },
      {},
    ])
    expect(records[1].kid).toHaveLength(1)
    expect(JSON.stringify(records[1])).not.toContain('Beyond')
    expect(walk.faults(page)).toEqual([])
  })

  it('a form with mistakes leads to the first of them, however far away, also in a closed group, when it is sent', async () => {
    const rows = Array.from({ length: 120 }, (_, at) => {
      const isNeeded = at === 60 || at === 110
      return `${at % 10 === 7 ? 'image' : at === 110 ? 'date' : 'text'},q${at},Question ${at}.,${isNeeded ? 'yes' : ''}`
    })
    rows.splice(100, 0, 'begin group,last,Last ones,')
    const long = sheet(['type,name,label,required', ...rows, 'end group,,,'].join('\n'), {
      settings: { form_id: 'far', form_title: 'Far' },
    })
    const { formid } = await publish(walk.app, ana, long, { project })
    const page = await walk.as(ana, `/f/ana/${formid}`)
    await page.setViewportSize({ width: 390, height: 740 })
    await formShown(page)
    /** The label of what has the focus, and whether its question is in sight. */
    const here = () =>
      page.evaluate(`(() => {
        const place = document.activeElement.closest('.question-container')
        const { top, bottom } = place?.getBoundingClientRect() ?? { top: -1, bottom: -1 }
        return [place?.querySelector('label')?.innerText.match(/Question \\d+/)?.[0], top >= 0 && bottom <= innerHeight]
      })()`)
    await send(page)
    await expect.poll(here).toEqual(['Question 60', true])
    await page.waitForSelector('.question-container.highlight:has-text("Question 60.")')
    await answer(page, 'Question 60.', 'Answered')
    await page.locator('.panel-title', { hasText: 'Last ones' }).click()
    await question(page, 'Question 110.').waitFor({ state: 'hidden' })
    await send(page)
    await expect.poll(here).toEqual(['Question 110', true])
    expect(await page.locator('.p-datepicker-panel').count()).toBe(0)
    await walk.picture(page, 'fill-first-mistake')
    expect(walk.faults(page)).toEqual([])
  })
})
