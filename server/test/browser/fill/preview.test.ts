// A form to look at, in the frame of another page; and what an address gives, or a form wants that browsers cannot do.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Account } from '../../support/app.js'
import { hasNoBrowser } from '../../support/browser.js'
import { answer, formShown, namedSheet, question } from '../../support/fill.js'
import { publish, sheet } from '../../support/forms.js'
import { newProject } from '../../support/projects.js'
import { useWalk } from '../../support/walk.js'

const key =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAt1Zx0Xn3hX1m6zv7k5Xk6YzQmO5hV0c6l2y9f0XbR3mF5W7Z9eJk2d4s8n1b0qLz4VtY8o5m3uG7c1pQ6rS2wE9xT0aH4jK5nD8vB3fL6gM1iU7yR2sC9eW4kO8tP0zA5hQ3xJ6bN1dV7mF2uG9rT4cY8pL5wE0sK3jH6oI1aD7nB2fX9vM4gZ8qU5tR0yC3eW6kP1lA7hS2xJ9bN4dV8mF5uG0rTQIDAQAB'

describe.skipIf(hasNoBrowser)('a form to look at (needs Chromium on the PATH)', () => {
  const walk = useWalk()
  let ana: Account
  let project: number

  beforeAll(async () => {
    ana = await walk.app.account({ username: 'ana' })
    project = await newProject(walk.app, ana, { name: 'Previews' })
  })

  const xmlOf = async (formid: number) => (await walk.app.as(ana)('GET', `/forms/${formid}/form.xml`)).body
  /** A page of this server with the preview in a frame; what the frame says is collected. */
  const framed = async (page: Page) => {
    await page.evaluate(`new Promise((done) => {
      window.heard = []
      addEventListener('message', ({ data }) => { heard.push(data.kind); if (data.kind === 'waiting') done() })
      const frame = document.createElement('iframe')
      frame.id = 'preview'
      frame.src = '/f/preview'
      document.body.append(frame)
    })`)
    return page.frameLocator('#preview')
  }
  const hand = (page: Page, xml: string) =>
    page.evaluate(
      `document.querySelector('#preview').contentWindow.postMessage({ kind: 'form', xml: ${JSON.stringify(xml)} }, location.origin)`,
    )
  const heard = (page: Page) => page.evaluate('heard')

  it('is shown as another page hands it over, takes over answers when it changes, and sends nothing', async () => {
    const { formid } = await publish(walk.app, ana, namedSheet('looked'), { project })
    const xml = await xmlOf(formid)
    const page = await walk.as(ana, '/')
    const posts: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET') posts.push(request.url())
    })
    const frame = await framed(page)
    await hand(page, xml)
    const name = frame.locator('.question-container input').first()
    await name.fill('Amina')
    await name.press('Tab')
    await hand(page, xml.replaceAll('>Name<', '>Full name<'))
    await frame.locator('label:has-text("Full name")').waitFor()
    await expect.poll(() => name.inputValue()).toBe('Amina')
    await frame.locator('.odk-form button:has-text("Send")').click()
    await frame.locator('text=This is a preview: nothing is sent.').waitFor()
    expect(await heard(page)).toEqual(['waiting', 'ready', 'ready'])
    await hand(page, '<html>no form</html>')
    await expect.poll(() => heard(page)).toContain('failed')
    expect(posts).toEqual([])
    expect((await walk.app.as(ana)('GET', `/data/${formid}`)).json()).toEqual([])
  })

  it('names what cannot be answered, and refuses an encrypted form until somebody wants to look at it', async () => {
    const secret = await publish(walk.app, ana, namedSheet('hidden', 'text,name,Name', { public_key: key }), {
      project,
    })
    const text = sheet(
      'type,name,label::English (en),label::Français (fr),appearance\ntext,pulse,Pulse,Pouls,ex:org.example.pulse\ntext,name,Name,Nom,',
      { settings: { form_id: 'rate', form_title: 'Rate', default_language: 'English (en)' } },
    )
    const other = await publish(walk.app, ana, text, { project })
    const page = await walk.as(ana, '/')
    const frame = await framed(page)
    await hand(page, await xmlOf(other.formid))
    await frame.locator('.odk-form').waitFor()
    expect(await frame.locator('.limits').innerText()).toMatch(/cannot be answered in a browser\s+Pulse/)
    await hand(page, await xmlOf(secret.formid))
    await frame.locator('.limits:has-text("This form is encrypted")').waitFor()
    expect(await frame.locator('.odk-form').count()).toBe(0)
    await frame.locator('.limits button').click()
    await frame.locator('.odk-form').waitFor()
    expect(await frame.locator('.limits').innerText()).toContain('This form is encrypted')
    expect(walk.faults(page)).toEqual([])
  })

  it('takes no form from another origin, neither around it nor beside it', async () => {
    const { formid } = await publish(walk.app, ana, namedSheet('foreign'), { project })
    const message = JSON.stringify({ kind: 'form', xml: await xmlOf(formid) })
    const page = await walk.as(ana, '/', { serviceWorkers: 'block' })
    const context = page.context()
    const serve = (address: string, body: string) =>
      context.route(address, (route) => route.fulfill({ contentType: 'text/html', body }))
    // What would keep it out of foreign frames is taken off, so that the page itself has to.
    await context.route('**/f/preview', async (route) => {
      const answer = await route.fetch()
      const { 'x-frame-options': _, 'content-security-policy': __, ...headers } = answer.headers()
      await route.fulfill({ response: answer, headers })
    })
    const preview = `<iframe id="preview" src="${walk.address}/f/preview"></iframe>`
    const posting = (to: string) => `<script>setInterval(() => ${to}.postMessage(${message}, '*'), 50)</script>`
    await serve('http://around.test/', `${preview}${posting('frames[0]')}`)
    await serve('http://beside.test/', posting('parent.frames[0]'))
    await serve('**/outer', `${preview}<iframe src="http://beside.test/"></iframe>`)
    for (const address of ['http://around.test/', `${walk.address}/outer`]) {
      await page.goto(address)
      const frame = page.frameLocator('#preview')
      await frame.locator('text=The form is shown here.').waitFor()
      const listened = page.frames().find((one) => one.url().endsWith('/f/preview'))
      const heard = await listened?.evaluate(`new Promise((done) => {
        let times = 0
        addEventListener('message', ({ origin }) => { times += 1; if (times === 20) done(origin) })
      })`)
      expect(heard).toMatch(/^http:\/\/(around|beside)\.test$/)
      expect(await frame.locator('.odk-form, .form-screen').count()).toBe(0)
    }
    await hand(page, await xmlOf(formid))
    await page.frameLocator('#preview').locator('.odk-form').waitFor()
  })

  it('answers of an address stand in the form, also in groups and hidden ones; unknown names are told', async () => {
    const survey =
      'begin group,house,House\ninteger,rooms,Rooms\nend group,,\nhidden,source,\nselect_one yn,agreed,Agreed\ntext,name,Name'
    const text = sheet(`type,name,label\n${survey}`, {
      choices: 'list_name,name,label\nyn,yes,Yes\nyn,no,No',
      settings: { form_id: 'given', form_title: 'Given' },
    })
    const { formid } = await publish(walk.app, ana, text, { project })
    const given = 'd[house/rooms]=4&d[source]=poster&d[agreed]=no&d[nothing]=1'
    const page = await walk.as(ana, `/f/ana/${formid}?${given}`)
    await formShown(page)
    expect(await question(page, 'Rooms').locator('input').inputValue()).toBe('4')
    await page.waitForSelector('text=The link gives answers to questions that this form does not have: nothing.')
    expect(await page.getByText('do not fit').count()).toBe(0)
    await answer(page, 'Name', 'Amina')
    await walk.check(page)
    await page.locator('.odk-form button', { hasText: 'Send' }).click()
    await page.waitForSelector('.thanks.sent')
    const [record] = (await walk.app.as(ana)('GET', `/data/${formid}`)).json()
    expect(record).toMatchObject({ 'house/rooms': '4', source: 'poster', agreed: 'no', name: 'Amina' })
  })

  it('answers of an address that do not fit their questions are named', async () => {
    const { formid } = await publish(walk.app, ana, namedSheet('unfit'), { project })
    const page = await walk.as(ana, `/f/ana/${formid}?d[name]=Amina&d[age]=zzz`)
    await page.waitForSelector('text=The link gives answers that do not fit their questions: age.')
    expect(await question(page, 'Name').locator('input').inputValue()).toBe('Amina')
  })

  it('an encrypted form is refused before it is opened; questions that browsers cannot ask are named first', async () => {
    const secret = await publish(walk.app, ana, namedSheet('secret', 'text,name,Name', { public_key: key }), {
      project,
    })
    const page = await walk.as(ana, `/f/ana/${secret.formid}`)
    await page.waitForSelector('.refusal h2:has-text("This form is encrypted")')
    await walk.check(page)
    const text = sheet('type,name,label,appearance\ntext,pulse,Pulse,ex:org.example.pulse\ntext,name,Name,', {
      settings: { form_id: 'pulse', form_title: 'Pulse' },
    })
    const other = await publish(walk.app, ana, text, { project })
    await page.goto(`/f/ana/${other.formid}`)
    await formShown(page)
    expect(await page.locator('.before').innerText()).toMatch(/cannot be answered in a browser\s+Pulse/)
    await walk.check(page)
    await walk.picture(page, 'fill-unanswerable')
  })
})
