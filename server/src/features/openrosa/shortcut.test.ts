// A sender who has submitted before: the next submission is one question to the database, and everything that may have changed
// since is part of it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, visitSheet } from '../../../test/support/forms.js'
import { newKey } from '../../../test/support/keys.js'
import { countQuestions, listen, type Posted, post } from '../../../test/support/posting.js'
import { newProject } from '../../../test/support/projects.js'
import { instance, newId, submissionBody } from '../../../test/support/submissions.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let projectId: number
let form: PublishedForm
let questions: () => number

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  projectId = await newProject(app, ana)
  form = await publish(app, ana, visitSheet({ form_id: 'visit' }), { project: projectId })
  await listen(app)
  questions = countQuestions(app)
})
afterAll(() => app.http.app.server.closeAllConnections())

const answers = '<name>Zoe</name><age>30</age><sex>f</sex>'
const byToken = ({ apiToken }: Account) => ({ Authorization: `Token ${apiToken}` })
const byPassword = ({ username, password }: Account) => ({
  Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
})

const submit = (path: string, headers: Record<string, string>, xml: string): Promise<Posted> => {
  const { body, headers: own } = submissionBody(xml)
  return post(app, { path, headers: { ...own, ...headers }, body })
}

describe('one question to the database', () => {
  it.each<[string, () => Promise<{ path: string; headers: Record<string, string> }>]>([
    ['a token', async () => ({ path: '/ana/submission', headers: byToken(ana) })],
    ['a password', async () => ({ path: '/ana/submission', headers: byPassword(ana) })],
    [
      'a token, at the address of the form',
      async () => ({ path: `/forms/${form.formid}/submission`, headers: byToken(ana) }),
    ],
    ['a token, at the address of the API', async () => ({ path: '/api/v1/submissions', headers: byToken(ana) })],
    ['a token, at no account’s address', async () => ({ path: '/me/submission', headers: byToken(ana) })],
    [
      'a key',
      async () => ({ path: `/key/${(await newKey(app, ana, projectId)).token}/submission?deviceID=a`, headers: {} }),
    ],
  ])('by %s', async (_by, sender) => {
    const { path, headers } = await sender()
    const asked: number[] = []
    for (let n = 0; n < 3; n++) {
      questions()
      expect((await submit(path, headers, instance(form, answers))).status).toBe(201)
      asked.push(questions())
    }
    const [first, ...next] = asked
    expect([Number(first) >= 3, next]).toEqual([true, [1, 1]])
  })

  it('where the form alone, or the account that owns it alone, asks who submits', async () => {
    const send = async () => (await submit('/ana/submission', byToken(ana), instance(form, answers))).status
    const asks = async (ofForm: boolean, ofAccount: boolean) => {
      await app.as(ana)('PATCH', `/forms/${form.formid}`, { body: { require_auth: ofForm } })
      await app.as(ana)('PATCH', '/profiles/ana', { body: { require_auth: ofAccount } })
      expect([await send(), await send()]).toEqual([201, 201])
      questions()
      expect(await send()).toBe(201)
      return questions()
    }
    expect([await asks(true, false), await asks(false, true), await asks(false, false)]).toEqual([1, 1, 1])
  })

  it('for each of several forms, and by the id of a form as by its identifier', async () => {
    const other = await publish(app, ana, visitSheet({ form_id: 'other' }), { project: projectId })
    const send = (xml: string) => submit('/ana/submission', byToken(ana), xml)
    const byId = { id_string: 'VISIT' }
    for (const one of [form, other, byId]) expect((await send(instance(one, answers))).status).toBe(201)
    questions()
    for (const one of [other, byId, form, other]) expect((await send(instance(one, answers))).status).toBe(201)
    expect(questions()).toBe(4)
  })
})

describe('by the ordinary way', () => {
  it.each<[string, (xml: string) => { body: Buffer; headers: Record<string, string> }, number]>([
    ['what comes with a file', (xml) => submissionBody(xml, [{ name: 'a.jpg', content: 'x' }]), 201],
    ['what is no XML', () => submissionBody('<data'), 400],
    ['what is for another form', () => submissionBody(instance({ id_string: 'nothing' }, answers)), 404],
    ['two submissions in one', (xml) => submissionBody(xml, [{ name: 'xml_submission_file', content: xml }]), 400],
  ])('%s', async (_what, make, status) => {
    for (let n = 0; n < 2; n++) await submit('/ana/submission', byToken(ana), instance(form, answers))
    const { body, headers } = make(instance(form, answers))
    questions()
    const posted = await post(app, { path: '/ana/submission', headers: { ...headers, ...byToken(ana) }, body })
    expect(posted.status).toBe(status)
    expect(questions()).toBeGreaterThan(0)
  })

  it.each([
    ['?deviceID=a%00b', 400],
    ['?deviceID=a&deviceID=b', 201],
    ['?deviceID=collect%3AaB-3_x.7', 201],
    ['?other=%00', 400],
  ])(
    'a question mark with more behind it than the name of a device is looked at first: %s is %i',
    async (query, status) => {
      const { token } = await newKey(app, ana, projectId)
      const path = `/key/${token}/submission`
      for (let n = 0; n < 2; n++) expect((await submit(path, {}, instance(form, answers))).status).toBe(201)
      expect((await submit(path + query, {}, instance(form, answers))).status).toBe(status)
    },
  )

  it('the same again is a duplicate, and is stored once', async () => {
    const id = newId()
    const send = () => submit('/ana/submission', byToken(ana), instance(form, answers, { id }))
    const statuses = await Promise.all([send(), send(), send()])
    expect(statuses.map(({ status }) => status).sort()).toEqual([201, 202, 202])
    expect((await send()).status).toBe(202)
    const found = await app.database.db.rows(
      sql`select from submissions where form_id = ${form.formid} and uuid = ${id}`,
    )
    expect(found).toHaveLength(1)
  })
})

it('several senders of one batch have a premise each: only those whose own still holds are stored', async () => {
  const senders = await Promise.all(Array.from({ length: 6 }, () => app.account()))
  const send = (by: Account) => submit('/ana/submission', byToken(by), instance(form, answers))
  for (const one of senders) expect((await send(one)).status).toBe(201)
  const gone = senders.filter((_, place) => place % 2 === 0).map(({ id }) => id)
  await app.database.db.run(sql`delete from api_tokens where user_id = any(${gone}::int[])`)
  const statuses = await Promise.all(senders.map(async (one) => (await send(one)).status))
  expect(statuses).toEqual([401, 201, 401, 201, 401, 201])
})
