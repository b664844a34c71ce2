// Mails that a person causes, whichever way: one count for all of them.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { newOrganization, newProject } from '../../../test/support/projects.js'
import { budgets } from '../../budgets.js'
import { countMails } from './mail-limits.js'

const app = testApp()
let people: Account[]

beforeAll(async () => {
  people = []
  for (let i = 0; i < 12; i++) people.push(await app.account())
})

const nextWindow = () => app.wait(budgets.mails.windowSeconds + 1)
const names = (some: readonly Account[]) => some.map(({ username }) => username).join(',')

const shareWith = async (owner: Account, project: number, some: readonly Account[]) =>
  app.as(owner)('POST', `/projects/${project}/share`, {
    body: { username: names(some), role: 'readonly', email_msg: 'Have a look' },
  })

describe('mails of one person', () => {
  it('429 with Retry-After past the last of them, whichever way each is caused; the next window begins anew', async () => {
    const owner = await app.account()
    const project = await newProject(app, owner)
    const org = await newOrganization(app, owner)
    // All but three, to addresses that nobody has.
    await app.deps.db.transaction((tx) =>
      countMails(tx, app.deps, {
        kind: 'people',
        senderId: owner.id,
        to: Array.from({ length: budgets.mails.ofPerson - 3 }, (_, i) => `filler${i}@example.org`),
      }),
    )
    expect((await shareWith(owner, project, people.slice(0, 1))).statusCode).toBe(204)
    const body = { username: people[1]?.username, email_msg: 'Welcome', email_subject: 'Hello' }
    expect((await app.as(owner)('POST', `/orgs/${org}/members`, { body })).statusCode).toBe(201)
    const invite = (email: string) =>
      app.as(owner)('POST', `/projects/${project}/invitations`, { body: { email, role: 'readonly' } })
    // Two are one too many: both are refused, and neither is counted.
    const two = await shareWith(owner, project, people.slice(2, 4))
    expect([two.statusCode, Number(two.headers['retry-after']) > 800]).toEqual([429, true])
    expect((await app.as(people[2] as Account)('GET', `/projects/${project}`)).statusCode).toBe(404)
    expect((await invite('guest@example.net')).statusCode).toBe(201)
    const past = [
      await shareWith(owner, project, people.slice(4, 5)),
      await app.as(owner)('POST', `/orgs/${org}/members`, { body: { ...body, username: people[5]?.username } }),
      await invite('other@example.net'),
    ]
    expect(past.map(({ statusCode }) => statusCode)).toEqual([429, 429, 429])
    // Without a mail everything goes on.
    const silent = { username: people[4]?.username, role: 'readonly' }
    expect((await app.as(owner)('POST', `/projects/${project}/share`, { body: silent })).statusCode).toBe(204)
    nextWindow()
    expect((await invite('other@example.net')).statusCode).toBe(201)
  })

  it('is exact when many come at once', async () => {
    const owner = await app.account()
    const project = await newProject(app, owner)
    const room = 4
    await app.deps.db.transaction((tx) =>
      countMails(tx, app.deps, {
        kind: 'people',
        senderId: owner.id,
        to: Array.from({ length: budgets.mails.ofPerson - room }, (_, i) => `many${i}@example.org`),
      }),
    )
    const answers = await Promise.all(people.map((person) => shareWith(owner, project, [person])))
    expect(answers.filter(({ statusCode }) => statusCode === 204)).toHaveLength(room)
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(people.length - room)
    const mails = (await app.mails()).filter(({ subject }) => subject.includes(`Project has been shared`))
    expect(mails.filter(({ to }) => people.some(({ email }) => to.includes(email))).length).toBeGreaterThanOrEqual(room)
  })
})

describe('mails to one address', () => {
  it('429 past the last of them, of all people together; other receivers are not affected', async () => {
    nextWindow()
    const [victim, other] = [await app.account(), await app.account()]
    const attempt = async (): Promise<number> => {
      const sender = await app.account()
      return (await shareWith(sender, await newProject(app, sender), [victim])).statusCode
    }
    for (let i = 0; i < budgets.mails.toReceiver; i++) expect(await attempt()).toBe(204)
    expect(await attempt()).toBe(429)
    const sender = await app.account()
    expect((await shareWith(sender, await newProject(app, sender), [other])).statusCode).toBe(204)
    expect(await app.mailsTo(victim.email)).toHaveLength(budgets.mails.toReceiver)
    // What others write does not use up what the account needs.
    const body = { email: victim.email, reset_url: 'http://localhost/r' }
    expect((await app.call('POST', '/user/reset', { body })).statusCode).toBe(204)
    expect(await app.mailsTo(victim.email)).toHaveLength(budgets.mails.toReceiver + 1)
  })

  it('an invitation that is sent again and again counts each time', async () => {
    nextWindow()
    const owner = await app.account()
    const project = await newProject(app, owner)
    const body = { email: 'invited@example.net', role: 'readonly' }
    const { id } = (await app.as(owner)('POST', `/projects/${project}/invitations`, { body })).json()
    const resend = () =>
      app.as(owner)('POST', `/projects/${project}/resend-invitation`, { body: { invitation_id: id } })
    for (let i = 1; i < budgets.mails.toReceiver; i++) expect((await resend()).statusCode).toBe(200)
    expect((await resend()).statusCode).toBe(429)
    expect(await app.mailsTo(body.email)).toHaveLength(budgets.mails.toReceiver)
  })

  it('says so often, and no more, that a password was changed or an account was locked', async () => {
    nextWindow()
    const ana = await app.account()
    let password = ana.password
    for (let i = 0; i <= budgets.mails.toReceiver; i++) {
      const body = { current_password: password, new_password: `another ${i}` }
      const response = await app.basic(ana.username, password)('POST', `/profile/${ana.username}/change_password`, {
        body,
      })
      expect(response.statusCode).toBe(200)
      password = `another ${i}`
    }
    expect(await app.mailsTo(ana.email)).toHaveLength(budgets.mails.toReceiver)
  })
})

describe('many addresses that lock one account', () => {
  const strict = testApp({ MAX_LOGIN_ATTEMPTS: '1' })
  it('tell its owner so often, and no more', async () => {
    const ana = await strict.account()
    for (let i = 0; i <= budgets.mails.toReceiver; i++) {
      await strict.basic(ana.username, 'wrong')('GET', '/user', { from: `10.9.0.${i + 1}` })
    }
    const mails = (await strict.mailsTo(ana.email)).filter(({ subject }) => subject === 'Your account was locked')
    expect(mails).toHaveLength(budgets.mails.toReceiver)
  })
})

describe('what people write', () => {
  it('is plain text in one piece: no control characters, no header of its own', async () => {
    nextWindow()
    const [owner, reader] = [await app.account(), await app.account()]
    const org = await newOrganization(app, owner)
    const body = {
      username: reader.username,
      email_subject: 'Hello\r\nBcc: everybody@example.org\u001b[31m',
      email_msg: 'One\r\nTwo\u001b[2J\u0007\tThree <b>bold</b>',
    }
    expect((await app.as(owner)('POST', `/orgs/${org}/members`, { body })).statusCode).toBe(201)
    const [mail] = await app.mailsTo(reader.email)
    expect(mail?.subject).toBe('Hello Bcc: everybody@example.org [31m')
    expect(mail?.text).toContain('Two[2J\tThree <b>bold</b>')
    expect(mail?.to).toBe(`<${reader.email}>`)
  })

  it('400 for more than a page of it', async () => {
    const owner = await app.account()
    const org = await newOrganization(app, owner)
    const members = (fields: object) =>
      app.as(owner)('POST', `/orgs/${org}/members`, { body: { username: 'nobody', ...fields } })
    expect((await members({ email_msg: 'x'.repeat(1025) })).json()).toHaveProperty('email_msg')
    expect((await members({ email_msg: 'x', email_subject: 'x'.repeat(256) })).json()).toHaveProperty('email_subject')
  })
})
