// A record, the map and the files of a form, as those who own it, who read it, and who see their own records alone.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Account } from '../../support/app.js'
import { jpeg } from '../../support/attachments.js'
import { hasNoBrowser } from '../../support/browser.js'
import { type PublishedForm, publish, sheet } from '../../support/forms.js'
import { newProject, share } from '../../support/projects.js'
import { instance, newId, type SentFile, send } from '../../support/submissions.js'
import { useWalk } from '../../support/walk.js'

const survey = `type,name,label::English (en),label::Français (fr)
text,name,Name,Nom
select_one roof,roof,Roof,Toit
begin group,visit,The visit,La visite
integer,rooms,Rooms,Pièces
geopoint,place,Where?,Où ?
image,photo,Photo of the house,Photo de la maison
audio,voice,Voice,Voix
end group,,,
begin repeat,kids,Children,Enfants
text,kname,Child,Enfant
integer,kage,Age,Âge
end repeat,,,`
const choices = `list_name,name,label::English (en),label::Français (fr)
roof,tin,Tin,Tôle
roof,thatch,Thatch,Chaume`

const hostile = '<img src=x onerror=alert(1)>{{x}}'

describe.skipIf(hasNoBrowser)('records, map and files (needs Chromium on the PATH)', () => {
  const walk = useWalk()
  let [ana, reader, minor] = [] as unknown as [Account, Account, Account]
  let form: PublishedForm
  const uuids: string[] = []

  const sent = async (by: Account, markup: string, files: readonly SentFile[] = []): Promise<string> => {
    const id = newId()
    const answer = await send(walk.app, by, `/${ana.username}`, instance(form, markup, { id }), files)
    if (answer.statusCode !== 201) throw new Error(answer.body)
    return id
  }
  const markup = (n: number) =>
    `<name>${n === 0 ? hostile.replaceAll('<', '&lt;') : `Home ${n}`}</name><roof>${n % 2 ? 'tin' : 'thatch'}</roof>
     <visit><rooms>${n + 1}</rooms><place>${-1 - n / 50} ${36 + n / 50} 1200 5</place>${n < 3 ? `<photo>p${n}.jpg</photo>` : ''}${n === 0 ? '<voice>gone.m4a</voice>' : ''}</visit>
     <kids><kname>Bo</kname><kage>4</kage></kids><kids><kname>Cleo</kname><kage>6</kage></kids>`
  const at = (path: string) => `/forms/${form.formid}${path}`
  const recordOf = async (uuid = uuids[1]) =>
    (await walk.app.as(ana)('GET', `/data/${form.formid}/${uuid}`)).json<Record<string, unknown>>()
  const patch = (body: object) => walk.app.as(ana)('PATCH', `/data/${form.formid}/${uuids[1]}`, { body })

  beforeAll(async () => {
    ana = await walk.app.account()
    reader = await walk.app.account()
    minor = await walk.app.account()
    const project = await newProject(walk.app, ana)
    form = await publish(walk.app, ana, sheet(survey, { choices, settings: { form_id: 'homes' } }), { project })
    await share(walk.app, ana, project, reader.username, 'readonly')
    await share(walk.app, ana, project, minor.username, 'dataentry-minor')
    const picture = await jpeg(640, 480)
    for (let n = 0; n < 12; n++) {
      const files = n < 3 ? [{ name: `p${n}.jpg`, content: picture, type: 'image/jpeg' }] : []
      uuids.push(await sent(n === 11 ? minor : ana, markup(n), files))
    }
  })

  const edit = async (page: Page, question: string, value: string) => {
    await page.click(`button[aria-label="Change the answer to: ${question}"]`)
    await page.fill('.edit .input', value)
    await page.click('.edit button[type=submit]')
  }

  it('a record shows its answers in the chosen language, what is missing, its raw data; hostile text is text', async () => {
    const page = await walk.as(ana, at(`/records/${uuids[0]}`))
    await page.waitForSelector('.picture img')
    expect(await page.textContent('.answer >> nth=0')).toContain(hostile)
    await page.waitForSelector('text=1 file has not arrived yet')
    await page.waitForSelector('.scroll td:has-text("Cleo")')
    await walk.check(page)
    await page.click('button[aria-label="Show on a map"]')
    await page.waitForSelector('.small-map .leaflet-container canvas')
    await page.click('.picture')
    await page.waitForSelector('[role=dialog] img')
    await page.keyboard.press('Escape')
    await page.selectOption('header select, .page select', 'Français (fr)')
    await page.waitForSelector('dt:has-text("Toit")')
    await page.waitForSelector('dd:has-text("Chaume")')
    await page.click('[role=tab]:has-text("Raw data")')
    await page.click('button:has-text("XML as received")')
    await page.waitForSelector('pre:has-text("gone.m4a")')
    expect(walk.faults(page)).toEqual([])
    await walk.pictures(page, 'record')
  })

  it('an answer is changed in place; where somebody was faster, what was typed stays and both are shown', async () => {
    const page = await walk.as(ana, at(`/records/${uuids[1]}`))
    await edit(page, 'Name', 'Home of Ida')
    await page.waitForSelector('.answer:has-text("Home of Ida")')
    await edit(page, 'Rooms', 'many')
    await page.waitForSelector('.edit [role=alert], .edit .error')
    expect(await page.inputValue('.edit .input')).toBe('many')
    await patch({ 'visit/rooms': '9' })
    await page.fill('.edit .input', '5')
    await page.click('.edit button[type=submit]')
    await page.waitForSelector('text=Somebody changed this record')
    await page.waitForSelector('text=This answer is now: 9')
    expect(await page.inputValue('.edit .input')).toBe('5')
    await walk.check(page, /400|409/)
    await page.click('.edit button[type=submit]')
    await page.waitForSelector('.edit', { state: 'detached' })
    expect((await recordOf())['visit/rooms']).toBe('5')
    // Of a repeat, one cell; and the history tells both.
    await page.hover('.scroll td >> nth=1')
    await page.click('.scroll td >> nth=1 >> button')
    await page.fill('.cell-edit .input', '7')
    await page.press('.cell-edit .input', 'Enter')
    await page.waitForSelector('ins:has-text("7")')
    await page.waitForSelector('dt:has-text("Children 1 › Age")')
    expect((await recordOf()).kids).toMatchObject([{ 'kids/kage': '7' }, { 'kids/kage': '6' }])
  })

  it('review with a reason, labels, notes; previous and next follow the filter; deleting is undone', async () => {
    const query = encodeURIComponent('{"roof":"tin"}')
    const page = await walk.as(ana, at(`/records/${uuids[3]}?query=${query}`))
    await page.waitForSelector('text=5 of 6')
    await page.click('button:has-text("Reject")')
    await page.click('button[type=submit]:has-text("Reject")')
    await page.waitForSelector('text=Say why')
    await page.fill('textarea >> nth=0', 'No roof in the photo')
    await page.click('button[type=submit]:has-text("Reject")')
    await page.waitForSelector('.chip:has-text("Rejected")')
    await page.click('button:has-text("Take back")')
    await page.waitForSelector('.chip:has-text("Not reviewed")')
    await page.fill('[placeholder="Add a label"]', 'urgent')
    await page.press('[placeholder="Add a label"]', 'Enter')
    await page.waitForSelector('.label:has-text("urgent")')
    await page.fill('.write textarea', hostile)
    await page.dblclick('.write button')
    await page.waitForSelector(`.notes li`)
    expect(await page.locator('.notes li').count()).toBe(1)
    await page.keyboard.press('Tab')
    await page.click('[aria-label="Next record"]')
    await page.waitForSelector('text=6 of 6')
    await page.click('[aria-label="Previous record"]')
    await page.waitForSelector('text=5 of 6')
    await page.click('[aria-label="Previous record"]')
    await page.waitForSelector('text=4 of 6')
    expect(page.url()).toContain(`/records/${uuids[5]}`)
    await page.click('button:has-text("Delete record")')
    await page.waitForSelector('text=The record is deleted')
    await page.click('button:has-text("Undo")')
    await page.waitForURL(`**/records/${uuids[5]}*`)
    await expect.poll(async () => (await recordOf(uuids[5]))._uuid).toBe(uuids[5])
    expect(walk.faults(page)).toEqual([])
  })

  it('readers see no way to change anything; those with their own records no other; a stranger learns nothing', async () => {
    const page = await walk.as(reader, at(`/records/${uuids[2]}`))
    await page.waitForSelector('.answer')
    expect(await page.locator('.change, button:has-text("Reject"), button:has-text("Delete record")').count()).toBe(0)
    const own = await walk.as(minor, at(`/records/${uuids[2]}`))
    await own.waitForSelector('.record h2, .error, [role=alert], .empty')
    expect(await own.locator('.answer').count()).toBe(0)
    await own.goto(at(`/records/${uuids[11]}`))
    await own.waitForSelector('.answer')
    const stranger = await walk.visitor(at(`/records/${uuids[2]}`))
    expect(await stranger.locator('.answer').count()).toBe(0)
  })

  it('the map shows places coloured by an answer, lists what is in sight, opens a record, and selects an area', async () => {
    const page = await walk.as(ana, at('/map?colour=roof'))
    await page.waitForSelector('.leaflet-container canvas')
    await page.waitForSelector('.legend li:has-text("Tin")')
    await page.waitForSelector('.sight li >> nth=11')
    await walk.check(page)
    expect(page.url()).toMatch(/view=-?\d/)
    await page.click('.sight li >> nth=2 >> a')
    await page.waitForSelector('aside .answer')
    expect(page.url()).toMatch(/record=\d+/)
    await page.goBack()
    await page.waitForSelector('.sight li')
    await page.click('button:has-text("Select a box")')
    const box = await page.locator('.record-map').boundingBox()
    if (box === null) throw new Error('no map')
    const [middleX, middleY] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.move(box.x + 60, box.y + 5)
    await page.mouse.down()
    await page.mouse.move(middleX - 80, middleY - 100, { steps: 4 })
    await page.mouse.move(middleX, middleY, { steps: 4 })
    await page.mouse.up()
    await page.waitForSelector('text=/[1-9] records in the chosen area/')
    await page.waitForSelector('.clause:has-text("in the area chosen on the map")')
    expect(page.url()).toContain('bbox=')
    await page.click('button:has-text("Clear all")')
    await page.waitForSelector('.chosen', { state: 'detached' })
    await page.click('button:has-text("Draw around an area")')
    await page.mouse.move(box.x + 70, box.y + 10)
    await page.mouse.down()
    for (const [x, y] of [
      [middleX, box.y + 10],
      [middleX, middleY],
      [box.x + 70, middleY],
    ] as const) {
      await page.mouse.move(x, y, { steps: 4 })
    }
    await page.mouse.up()
    await page.waitForSelector('.chosen')
    expect(page.url()).toContain('polygon=')
    expect(walk.faults(page)).toEqual([])
    await walk.pictures(page, 'map')
  })

  it('the files are a wall: by question, enlarged, chosen and downloaded', async () => {
    const page = await walk.as(ana, at('/media'))
    await page.waitForSelector('.tile >> nth=2')
    await walk.check(page)
    await page.click('.tile button >> nth=0')
    await page.waitForSelector('[role=dialog] img')
    await page.keyboard.press('ArrowRight')
    await page.waitForSelector('text=Picture 2 of 3')
    await page.keyboard.press('Escape')
    await page.check('.tile input >> nth=1')
    const [file] = await Promise.all([page.waitForEvent('download'), page.click('a:has-text("Download chosen")')])
    expect(file.suggestedFilename()).toMatch(/\.zip$/)
    await page.fill('input[type=date] >> nth=0', '2099-01-01')
    await page.waitForSelector('text=Nothing found')
    await page.click('button:has-text("Clear") >> nth=0')
    await page.waitForSelector('.tile')
    const own = await walk.as(minor, at('/media'))
    await own.waitForSelector('.empty')
    expect(walk.faults(page)).toEqual([])
    await walk.pictures(page, 'media')
  })
})
