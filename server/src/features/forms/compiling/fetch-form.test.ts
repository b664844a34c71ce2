import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, type TestApp, testApp } from '../../../../test/support/app.js'
import { publish, visitSheet } from '../../../../test/support/forms.js'
import { newProject } from '../../../../test/support/projects.js'
import { answerWith, dropConnection, type Receiver, startReceiver } from '../../../../test/support/receivers.js'
import { visitWorkbook } from '../../../../test/support/workbooks.js'
import { budgets } from '../../../budgets.js'

const app = testApp()
const guarded = testApp({ OUTBOUND_ALLOW_PRIVATE: 'false' })
let ana: Account
let receiver: Receiver

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  receiver = await startReceiver()
})
afterAll(() => receiver.close())

const post = (body: object, by = ana, on: TestApp = app) => on.as(by)('POST', '/forms', { body })
const answerBytes = (bytes: Buffer, headers: Record<string, string> = {}) => {
  receiver.answer = (_call, response) => void response.writeHead(200, headers).end(bytes)
}

describe('POST /forms with an address', () => {
  it.each([
    ['xls_url', 'remote.xlsx', visitWorkbook(), {}, 'remote'],
    ['csv_url', 'some%20dir/remote-csv.csv?key=1', Buffer.from(visitSheet()), {}, 'remote-csv'],
    [
      'remote_xls_url',
      'download',
      visitWorkbook(),
      { 'content-disposition': 'attachment; filename="named.xlsx"' },
      'named',
    ],
    ['xls_url', 'wrongly-named.csv', visitWorkbook(), {}, 'wrongly-named'],
  ] as const)(
    '201 from %s: the file that lies there, called as it is called there',
    async (field, path, bytes, headers, id) => {
      answerBytes(bytes, headers)
      const response = await post({ [field]: `${receiver.url}/${path}` })
      expect([response.statusCode, response.json()]).toMatchObject([201, { id_string: id, xls_available: true }])
      const ending = bytes[0] === 0x50 ? 'xlsx' : 'csv'
      const stored = await app.as(ana)('GET', `/forms/${response.json().formid}/form.${ending}`)
      expect(stored.rawPayload.equals(bytes)).toBe(true)
    },
  )

  it('200 replaces a definition, 201 publishes into a project', async () => {
    const { formid } = await publish(app, ana, visitSheet({ form_id: 'far', version: '1' }))
    answerBytes(Buffer.from(visitSheet({ form_id: 'far', version: '2' })))
    const body = { csv_url: `${receiver.url}/any.csv` }
    expect((await app.as(ana)('PATCH', `/forms/${formid}`, { body })).json()).toMatchObject({ version: '2' })
    const project = await newProject(app, ana)
    expect((await app.as(ana)('POST', `/projects/${project}/forms`, { body })).statusCode).toBe(201)
  })

  it.each([
    ['another status', answerWith(404), /It answered 404\.$/],
    ['no content', answerWith(200), /It is empty\.$/],
    ['a closed line', dropConnection, /The connection was closed/],
    ['redirects without end', answerWith(302, { location: '/again' }), /redirected more than/],
    ['a redirect to another scheme', answerWith(302, { location: 'file:///etc/passwd' }), /Only http and https/],
    ['more than 10 MB', answerWith(200, {}, 'x'.repeat(10 * 1024 * 1024 + 1)), /larger than 10485760 bytes/],
    ['what is no form', answerWith(200, {}, '<html>'), /./],
  ])('400 {type, text} for %s', async (_, answer, words) => {
    receiver.answer = answer
    const response = await post({ xls_url: `${receiver.url}/form.xlsx` })
    expect([response.statusCode, response.json()]).toMatchObject([
      400,
      { type: 'alert-error', text: expect.stringMatching(words) },
    ])
  })

  it.each([['ftp://example.org/a.xlsx'], ['nonsense'], ['http://name:secret@example.org/a.xlsx']])(
    '400 for %s, without a call',
    async (url) => {
      const response = await post({ xls_url: url })
      expect([response.statusCode, response.json().type]).toEqual([400, 'alert-error'])
    },
  )

  it('400 for a private address where such are not called: nothing arrives there', async () => {
    const owner = await guarded.account()
    const calls = receiver.calls.length
    for (const url of [receiver.url, receiver.url.replace('127.0.0.1', 'localhost'), 'http://169.254.169.254/latest']) {
      const response = await post({ xls_url: `${url}/form.xlsx` }, owner, guarded)
      expect([response.statusCode, response.json().text]).toEqual([400, expect.stringContaining('private or reserved')])
    }
    expect(receiver.calls.length).toBe(calls)
  })

  it('429 past budgets.outbound.formsPerPerson at once and 503 past budgets.outbound.formsAtOnce; others are not kept waiting', async () => {
    const held: (() => void)[] = []
    receiver.answer = (call, response) => {
      if (call.path === '/quick.csv') response.end(visitSheet())
      else held.push(() => response.end())
    }
    const count = budgets.outbound.formsAtOnce / budgets.outbound.formsPerPerson
    const people: Account[] = []
    for (let n = 0; n <= count; n++) people.push(await app.account())
    const [first = ana, ...others] = people
    const last = others.pop() ?? ana
    const hold = (by: Account, times: number) =>
      Array.from({ length: times }, () => post({ csv_url: `${receiver.url}/slow.csv` }, by))
    const quick = (by: Account) => post({ csv_url: `${receiver.url}/quick.csv` }, by)
    const waiting = hold(first, budgets.outbound.formsPerPerson)
    await expect.poll(() => held.length).toBe(budgets.outbound.formsPerPerson)
    const refused = await quick(first)
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '30'])
    expect((await quick(last)).statusCode).toBe(201)
    for (const one of others) waiting.push(...hold(one, budgets.outbound.formsPerPerson))
    await expect.poll(() => held.length).toBe(budgets.outbound.formsAtOnce)
    expect((await quick(last)).statusCode).toBe(503)
    // One that ends leaves one place, not all.
    held.shift()?.()
    expect((await waiting.shift())?.statusCode).toBe(400)
    expect((await quick(last)).statusCode).toBe(201)
    waiting.push(...hold(first, 1))
    await expect.poll(() => held.length).toBe(budgets.outbound.formsAtOnce)
    expect((await quick(first)).statusCode).toBe(429)
    for (const answer of held) answer()
    expect(new Set((await Promise.all(waiting)).map(({ statusCode }) => statusCode))).toEqual(new Set([400]))
    expect((await quick(first)).statusCode).toBe(201)
  })

  it('nothing is fetched for those who may not publish there', async () => {
    const stranger = await app.account()
    const project = await newProject(app, ana)
    const { formid } = await publish(app, ana)
    const calls = receiver.calls.length
    const body = { xls_url: `${receiver.url}/form.xlsx`, project: String(project) }
    expect((await post(body, stranger)).statusCode).toBe(404)
    expect((await app.as(stranger)('PATCH', `/forms/${formid}`, { body })).statusCode).toBe(404)
    expect((await app.call('POST', '/forms', { body })).statusCode).toBe(401)
    expect(receiver.calls.length).toBe(calls)
  })
})
