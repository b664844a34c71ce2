// The page to make an account at, which mails that invite lead to.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { Visitor } from '../../../test/support/oauth.js'
import { newProject } from '../../../test/support/projects.js'

const app = testApp()
const closed = testApp({ DISABLE_CREATING_USERS: 'true' })
let ana: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

const fields = (username: string) => ({
  name: 'Ida <i>',
  username,
  email: `${username}@example.org`,
  password: 'correct horse',
})
const submit = async (browser: Visitor, given: Record<string, string>) =>
  browser.submit(await browser.open('/accounts/register/'), '/accounts/register/', given)

describe('/accounts/register/', () => {
  it('takes what an invitation says: a page with the address filled in, then the account and the project', async () => {
    const project = await newProject(app, ana)
    const email = 'ida+field@example.org'
    await app.as(ana)('POST', `/projects/${project}/invitations`, { body: { email, role: 'readonly' } })
    const [mail] = await app.mailsTo(email)
    const browser = new Visitor(app)
    const page = await browser.open(`/accounts/register/${mail?.link?.search}`)
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.body).toContain(`value="${email}"`)
    const done = await browser.submit(page, '/accounts/register/', { ...fields('ida'), email })
    expect([done.statusCode, done.body]).toEqual([201, expect.stringContaining('Welcome, ida')])
    expect((await app.basic('ida', 'correct horse')('GET', `/projects/${project}`)).statusCode).toBe(200)
  })

  it('400 with every fault beside its field, and what was typed, but for the password', async () => {
    const browser = new Visitor(app)
    const page = await submit(browser, { ...fields('ana'), email: 'none', password: '' })
    expect(page.statusCode).toBe(400)
    expect(page.body).toContain('aria-invalid="true"')
    expect(page.body).toContain('value="Ida &lt;i&gt;"')
    const again = await submit(browser, { ...fields('zoe'), password: 'abc' })
    expect([again.statusCode, again.body.includes('value="abc"')]).toEqual([400, false])
    const taken = await submit(browser, fields('ana'))
    expect([taken.statusCode, taken.body]).toEqual([400, expect.stringContaining('id="username-fault"')])
  })

  it('403 for a form that this browser did not open, and nothing is made', async () => {
    const forged = await app.page('POST', '/accounts/register/', { form: fields('forged') })
    expect(forged.statusCode).toBe(403)
    expect((await app.call('GET', '/profiles/forged')).statusCode).toBe(404)
  })

  it('403 with a page where registration is closed', async () => {
    const browser = new Visitor(closed)
    const page = await browser.open('/accounts/register/')
    expect([page.statusCode, page.body]).toEqual([403, expect.stringContaining('Registration is closed')])
  })
})
