// Filling in with a line: every kind of question, as a signed-in person and as anybody.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasNoBrowser } from '../../support/browser.js'
import { answer, formShown, namedSheet, pixel, question, send } from '../../support/fill.js'
import { publish, sheet } from '../../support/forms.js'
import { newProject } from '../../support/projects.js'
import { useWalk } from '../../support/walk.js'

const everything = sheet(
  `type,name,label,hint,required,constraint,appearance,parameters
text,name,Name,As it is written,yes,,,
integer,age,Age,,,. < 120,,
decimal,weight,Weight,,,,,
select_one yn,married,Married,,,,,
select_one yn,owner,Owner,,,,minimal,
select_multiple crops,crops,Crops,,,,,
select_multiple crops,sold,Sold,,,,minimal,
rank crops,order,Order,,,,,
date,born,Born,,,,,
time,woke,Woke up,,,,,
dateTime,seen,Seen,,,,,
barcode,code,Code,,,,,
geopoint,place,Place,,,,,
image,photo,Photo,,,,,
image,signature,Signature,,,,signature,
audio,voice,Voice,,,,,
video,film,Film,,,,,
file,paper,Paper,,,,,
range,score,Score,,,,,start=1 end=5 step=1
acknowledge,agreed,Agreed,,,,,
begin repeat,member,Member,,,,,
text,member_name,First name,,,,,
end repeat,,,,,,,`,
  {
    choices: 'list_name,name,label\nyn,yes,Yes\nyn,no,No\ncrops,maize,Maize\ncrops,beans,Beans',
    settings: { form_id: 'everything', form_title: 'Everything' },
  },
)

const draw = async (page: Page, label: string) => {
  const pad = question(page, label).locator('canvas')
  await pad.scrollIntoViewIfNeeded()
  const box = (await pad.boundingBox()) ?? { x: 0, y: 0 }
  await page.mouse.move(box.x + 20, box.y + 20)
  await page.mouse.down()
  await page.mouse.move(box.x + 90, box.y + 60, { steps: 4 })
  await page.mouse.up()
  await question(page, label).locator('button', { hasText: 'OK' }).click()
}

describe.skipIf(hasNoBrowser)('filling in with a line (needs Chromium on the PATH)', () => {
  const walk = useWalk()

  it('every kind of question is answered and stored for the person who is signed in; faults are told first, and another form begins after the thanks', async () => {
    const ana = await walk.app.account({ username: 'ana' })
    const project = await newProject(walk.app, ana, { name: 'First' })
    const { formid } = await publish(walk.app, ana, everything, { project })
    const page = await walk.as(ana, `/f/ana/${formid}`)
    await formShown(page)
    await walk.check(page)
    await walk.pictures(page, 'fill-everything')
    await formShown(page)
    await send(page)
    await page.waitForSelector('.form-error-message:has-text("1 question needs another look.")')
    await answer(page, 'Name', 'أمل')
    await answer(page, 'Age', '42')
    await answer(page, 'Weight', '60.5')
    await question(page, 'Married').locator('label', { hasText: 'No' }).last().click()
    await question(page, 'Crops').locator('label', { hasText: 'Beans' }).last().click()
    await answer(page, 'Born', '2001-02-03')
    await answer(page, 'Seen', '2026-03-05T14:30')
    await answer(page, 'Code', '4006381333931')
    const files = { png: 'image/png', mp4: 'video/mp4', pdf: 'application/pdf', ogg: 'audio/ogg' } as const
    const give = (label: string, ending: keyof typeof files) =>
      question(page, label)
        .locator('input[type=file]')
        .last()
        .setInputFiles({ name: `given.${ending}`, mimeType: files[ending], buffer: pixel })
    await give('Photo', 'png')
    await draw(page, 'Signature')
    await give('Voice', 'ogg')
    await give('Film', 'mp4')
    await give('Paper', 'pdf')
    await answer(page, 'First name', 'Ben')
    await walk.picture(page, 'fill-everything-answered')
    await send(page)
    await page.waitForSelector('.thanks.sent')
    await walk.picture(page, 'fill-thanks')
    const [record] = (await walk.app.as(ana)('GET', `/data/${formid}`)).json()
    expect(record).toMatchObject({
      name: 'أمل',
      age: '42',
      weight: '60.5',
      married: 'no',
      crops: 'beans',
      born: '2001-02-03',
      code: '4006381333931',
      member: [{ 'member/member_name': 'Ben' }],
      _submitted_by: 'ana',
      _media_all_received: true,
    })
    expect(record.seen).toMatch(/^2026-03-05T14:30:00\.000[+-]\d\d:\d\d$/)
    const names: string[] = record._attachments.map(({ name }: { name: string }) => name.split('.').at(-1))
    expect(names.toSorted()).toEqual(['mp4', 'ogg', 'pdf', 'png', 'png'])
    await page.click('.thanks button')
    await formShown(page)
    expect(await question(page, 'Name').locator('input').inputValue()).toBe('')
    expect(walk.faults(page)).toEqual([])
  })

  it('anybody fills in a form that is open to all, also by its form id; another one asks to sign in, and opens then', async () => {
    const cleo = await walk.app.account({ username: 'cleo' })
    const project = await newProject(walk.app, cleo, { name: 'Second' })
    const open = await publish(walk.app, cleo, namedSheet('open'), { project })
    const closed = await publish(walk.app, cleo, namedSheet('closed'), { project })
    for (const [{ formid }, isAsked] of [
      [open, false],
      [closed, true],
    ] as const) {
      await walk.app.as(cleo)('PATCH', `/forms/${formid}`, { body: { require_auth: isAsked } })
    }
    const page = await walk.visitor('/f/cleo/open')
    await formShown(page)
    await answer(page, 'Name', 'Somebody')
    await send(page)
    await page.waitForSelector('.thanks.sent')
    const [record] = (await walk.app.as(cleo)('GET', `/data/${open.formid}`)).json()
    expect(record).toMatchObject({ name: 'Somebody', _submitted_by: null })

    await page.goto(`/f/cleo/${closed.formid}`)
    await page.waitForSelector('.refusal h2:has-text("Sign in to fill in this form")')
    await walk.picture(page, 'fill-sign-in')
    await page.fill('input[name=username]', cleo.username)
    await page.fill('input[name=password]', cleo.password)
    await page.click('.refusal button[type=submit]')
    await formShown(page)
    await walk.check(page, /401/)
  })

  it('signs that XML cannot hold are left out of an answer, of a link as well; all the rest of the record is there', async () => {
    const fred = await walk.app.account({ username: 'fred' })
    const { formid } = await publish(
      walk.app,
      fred,
      namedSheet('scanned', 'text,name,Name\ntext,code,Code\ninteger,age,Age'),
    )
    const page = await walk.as(fred, `/f/fred/${formid}?d[code]=a%0Bb%00%EF%BF%BEc`)
    await formShown(page)
    await answer(page, 'Name', 'GS1 \u001d01\u000b0950')
    await answer(page, 'Age', '44')
    await page.waitForSelector('.draft-state:has-text("Kept in this browser")')
    await send(page)
    await page.waitForSelector('.thanks.sent')
    const records = (await walk.app.as(fred)('GET', `/data/${formid}`)).json()
    expect(records).toMatchObject([{ name: 'GS1 010950', code: 'abc', age: '44' }])
  })

  it('a picture stays while its question is hidden, and is sent when it is shown again', async () => {
    const gina = await walk.app.account({ username: 'gina' })
    const hiding = sheet(`type,name,label,relevant\ninteger,age,Age,\nimage,photo,Photo,${'${age}'} != 5`, {
      settings: { form_id: 'hiding' },
    })
    const { formid } = await publish(walk.app, gina, hiding)
    const page = await walk.as(gina, `/f/gina/${formid}`)
    await formShown(page)
    const keptXml = () =>
      page.evaluate(`new Promise((done) => {
        indexedDB.open('sheaf-fill').onsuccess = ({ target }) => {
          target.result.transaction('filled').objectStore('filled').getAll().onsuccess = (all) =>
            done(all.target.result.map(({ xml }) => xml).join())
        }
      })`)
    const isKept = (text: RegExp) => expect.poll(keptXml).toMatch(text)
    await answer(page, 'Age', '4')
    const given = { name: 'a.png', mimeType: 'image/png', buffer: pixel }
    await question(page, 'Photo').locator('input[type=file]').first().setInputFiles(given)
    await isKept(/<age>4<.*\.png<\/photo>/)
    await answer(page, 'Age', '5')
    await isKept(/<age>5</)
    await answer(page, 'Age', '6')
    await isKept(/<age>6<.*\.png<\/photo>/)
    await send(page)
    await page.waitForSelector('.thanks.sent')
    const [record] = (await walk.app.as(gina)('GET', `/data/${formid}`)).json()
    expect([record.age, record._attachments.length, record._media_all_received]).toEqual(['6', 1, true])
  })

  it('an answer and its picture are there again when their question is, also after a reload while skip logic hid it; hidden they are not sent', async () => {
    const ines = await walk.app.account({ username: 'ines' })
    const survey = `type,name,label,relevant
integer,age,Age,
begin group,about,About,${'${age}'} != 5
text,why,Why,
select_one yn,sure,Sure,
image,photo,Photo,
begin repeat,visits,Visits,
text,place,Place,
end repeat,,,
end group,,,`
    const hiding = sheet(survey, {
      choices: 'list_name,name,label\nyn,yes,Yes\nyn,no,No',
      settings: { form_id: 'shown again' },
    })
    const { formid } = await publish(walk.app, ines, hiding)
    const page = await walk.as(ines, `/f/ines/${formid}`)
    await formShown(page)
    const fill = async (age: string) => {
      await answer(page, 'Age', age)
      await page.waitForSelector('.draft-state:has-text("Kept in this browser")')
    }
    await answer(page, 'Why', 'Because')
    await answer(page, 'Place', 'Lamu')
    await question(page, 'Sure').locator('label', { hasText: 'No' }).last().click()
    const given = { name: 'a.png', mimeType: 'image/png', buffer: pixel }
    await question(page, 'Photo').locator('input[type=file]').first().setInputFiles(given)
    const countPictures = () =>
      page.evaluate(`new Promise((done) => {
        indexedDB.open('sheaf-fill').onsuccess = ({ target: { result } }) => {
          result.transaction('pictures').objectStore('pictures').count().onsuccess = (all) => {
            result.close()
            done(all.target.result)
          }
        }
      })`)
    await expect.poll(countPictures).toBe(1)
    await fill('5')
    expect(await question(page, 'Why').count()).toBe(0)
    for (const _ of [1, 2]) {
      await page.reload()
      await formShown(page)
    }
    await fill('6')
    expect(await question(page, 'Why').locator('input').inputValue()).toBe('Because')
    // Typed a moment before the page goes: only the last words have it.
    await question(page, 'Why').locator('input').fill('Because of it')
    await answer(page, 'Age', '5')
    await page.reload()
    await formShown(page)
    await fill('7')
    expect(await question(page, 'Why').locator('input').inputValue()).toBe('Because of it')
    await send(page)
    await page.waitForSelector('.thanks.sent')
    await page.click('.thanks button')
    await formShown(page)
    await answer(page, 'Why', 'Hidden')
    await fill('5')
    await send(page)
    await page.waitForSelector('.thanks.sent')
    const records = (await walk.app.as(ines)('GET', `/data/${formid}?sort={"_id":1}`)).json()
    expect(records).toMatchObject([
      {
        age: '7',
        'about/why': 'Because of it',
        'about/sure': 'no',
        'about/visits': [{ 'about/visits/place': 'Lamu' }],
        _media_all_received: true,
        _attachments: [{}],
      },
      { age: '5', _attachments: [] },
    ])
    expect(Object.keys(records[1]).filter((name) => name.startsWith('about'))).toEqual([])
  })

  it('the first word is there after a reload, however soon it comes, and no second draft of it', async () => {
    const hana = await walk.app.account({ username: 'hana' })
    const { formid } = await publish(walk.app, hana, namedSheet('soon'))
    const page = await walk.as(hana, `/f/hana/${formid}`)
    await formShown(page)
    await question(page, 'Name').locator('input').fill('First')
    await page.reload()
    await formShown(page)
    expect(await question(page, 'Name').locator('input').inputValue()).toBe('First')
    await answer(page, 'Name', 'First and last')
    await send(page)
    await page.waitForSelector('.thanks.sent')
    const records = (await walk.app.as(hana)('GET', `/data/${formid}`)).json()
    expect(records.map(({ name }: { name: string }) => name)).toEqual(['First and last'])
    await page.goto('/f/outbox')
    await page.waitForSelector('.outbox, .empty, h1')
    expect(await page.locator('a:has-text("Open")').count()).toBe(0)
  })

  it('a file that was chosen while the page went is asked for again by the name of its question', async () => {
    const jana = await walk.app.account({ username: 'jana' })
    const { formid } = await publish(walk.app, jana, namedSheet('files', 'text,name,Name\nimage,photo,Photo'))
    const page = await walk.as(jana, `/f/jana/${formid}`)
    await formShown(page)
    const give = () =>
      question(page, 'Photo')
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: pixel })
    // As far as a database comes while its page is torn down.
    await page.evaluate(`IDBObjectStore.prototype.put = () => { throw new DOMException('gone', 'AbortError') }`)
    await answer(page, 'Name', 'Jo')
    await give()
    await question(page, 'Photo').locator('img').first().waitFor()
    await page.reload()
    await page.waitForSelector('.notice:has-text("left before a file was kept: Photo.")')
    expect(await question(page, 'Name').locator('input').inputValue()).toBe('Jo')
    await give()
    await page.waitForSelector('.notice:has-text("left before a file was kept")', { state: 'detached' })
    await send(page)
    await page.waitForSelector('.thanks.sent')
    const [record] = (await walk.app.as(jana)('GET', `/data/${formid}`)).json()
    expect([record.name, record._attachments.length, record._media_all_received]).toEqual(['Jo', 1, true])
  })

  it('429 while a form is opened is told as a busy server, and the form opens by itself when it may be asked for', async () => {
    const kim = await walk.app.account({ username: 'kim' })
    const { formid } = await publish(walk.app, kim, namedSheet('busy'))
    const page = await walk.as(kim, '/f/outbox')
    let times = 0
    await page.route('**/form.xml', (route) => {
      times += 1
      return times > 1 ? route.continue() : route.fulfill({ status: 429, headers: { 'retry-after': '2' }, body: '' })
    })
    await page.goto(`/f/kim/${formid}`)
    await page.waitForSelector('.refusal:has-text("The server is busy")')
    await walk.picture(page, 'fill-busy')
    await formShown(page)
    expect(times).toBe(2)
  })

  it('a form that is not there is told as one that is not shared', async () => {
    const dora = await walk.app.account({ username: 'dora' })
    const erik = await walk.app.account({ username: 'erik' })
    const hidden = await publish(walk.app, erik, namedSheet('hidden'))
    await walk.app.as(erik)('PATCH', `/forms/${hidden.formid}`, { body: { require_auth: true } })
    const words: string[] = []
    for (const path of [`/f/erik/${hidden.formid}`, '/f/erik/2147483647']) {
      const page = await walk.as(dora, path)
      await page.waitForSelector('.refusal')
      words.push(await page.locator('.refusal').innerText())
    }
    expect(words[0]).toContain('There is no such form')
    expect(words[1]).toBe(words[0])
  })
})
