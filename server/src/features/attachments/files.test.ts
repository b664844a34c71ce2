import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, type CallOptions, testApp } from '../../../test/support/app.js'
import { fileAddress, photoForm, type StoredFile, sendFiles } from '../../../test/support/attachments.js'
import type { PublishedForm } from '../../../test/support/forms.js'
import { instance, newId, send } from '../../../test/support/submissions.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let stranger: Account
let form: PublishedForm
let paper: StoredFile
const text = 'ten bytes.'

const share = async (username: string, role: string) => {
  const shared = await app.as(ana)('POST', `/forms/${form.formid}/share`, { body: { username, role } })
  expect(shared.statusCode).toBe(204)
}

const get = (account: Account, address: string, options: CallOptions = {}) => app.as(account)('GET', address, options)
const ranged = (range: string, more: Record<string, string> = {}) =>
  get(ana, fileAddress(paper), { headers: { range, ...more } })

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  stranger = await app.account()
  form = await photoForm(app, ana)
  paper = await sendFiles(app, ana, form, { paper: { name: 'note.txt', content: text, type: 'text/plain' } })
})

describe('GET /files/{id}', () => {
  it('200 with the bytes as they were sent, to be saved and never run', async () => {
    const answer = await get(ana, fileAddress(paper))
    expect([answer.statusCode, answer.body]).toEqual([200, text])
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain',
      'content-length': '10',
      'content-disposition': `attachment; filename="note.txt"`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, no-cache',
      'accept-ranges': 'bytes',
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
    })
  })

  it.each([
    ['evil.js', 'text/javascript'],
    ['evil.mjs', 'application/javascript'],
    ['evil.css', 'text/css'],
    ['evil.wasm', 'application/wasm'],
  ])('200 with %s as mere bytes: a page of the application would take it for its own', async (name, type) => {
    const file = await sendFiles(app, ana, form, { paper: { name, content: 'self.x = 1', type } })
    const answer = await get(ana, fileAddress(file))
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/octet-stream'])
  })

  it('200 at the address that the record shows', async () => {
    const [record] = await app.database.db.rows<{ attachments: { download_url: string }[] }>(sql`
      select attachments from submissions where form_id = ${form.formid} and id = ${paper.instance}`)
    const answer = await app.page('GET', record?.attachments[0]?.download_url ?? '', {
      headers: { authorization: `Token ${ana.apiToken}` },
    })
    expect([answer.statusCode, answer.body]).toEqual([200, text])
  })

  it('200 whatever the caller accepts: a file is what it is', async () => {
    expect((await get(ana, fileAddress(paper), { headers: { accept: 'image/png' } })).statusCode).toBe(200)
  })

  it('200 unpacked, so that its tag and its length hold', async () => {
    const content = 'a line that packs well\n'.repeat(500)
    const file = await sendFiles(app, ana, form, { paper: { name: 'long.txt', content, type: 'text/plain' } })
    const answer = await get(ana, fileAddress(file), { headers: { 'accept-encoding': 'gzip' } })
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect([answer.headers['content-length'], answer.body]).toEqual([String(content.length), content])
  })

  it('200 with a name of any script, in plain characters for old clients', async () => {
    const name = 'Škôlka 1; čaj.txt'
    const file = await sendFiles(app, ana, form, { paper: { name, content: text, type: 'text/plain' } })
    const answer = await get(ana, fileAddress(file))
    expect(answer.headers['content-disposition']).toBe(
      `attachment; filename="_k_lka 1_ _aj.txt"; filename*=UTF-8''${encodeURIComponent(name)}`,
    )
  })

  it('200 as bytes for a page: what runs in a browser is saved there', async () => {
    const page = { name: 'page.html', content: '<script>alert(1)</script>', type: 'text/html' }
    const answer = await get(ana, fileAddress(await sendFiles(app, ana, form, { paper: page })))
    expect(answer.headers['content-disposition']).toMatch(/^attachment;/)
    expect(answer.headers['content-security-policy']).toBe("sandbox; default-src 'none'")
  })

  it('HEAD has the headers and no bytes', async () => {
    const answer = await app.as(ana)('HEAD', fileAddress(paper))
    expect([answer.statusCode, answer.body]).toEqual([200, ''])
    expect(answer.headers).toMatchObject({ 'content-length': '10', 'content-type': 'text/plain' })
  })

  it('304 for who has it already', async () => {
    const { etag } = (await get(ana, fileAddress(paper))).headers
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const answer = await get(ana, fileAddress(paper), { headers: { 'if-none-match': String(known) } })
      expect([known, answer.statusCode, answer.body]).toEqual([known, 304, ''])
    }
    const other = await get(ana, fileAddress(paper), { headers: { 'if-none-match': '"x"' } })
    expect(other.statusCode).toBe(200)
  })

  it.each([
    ['bytes=0-3', 'ten ', '0-3'],
    ['bytes=4-', 'bytes.', '4-9'],
    ['bytes=-3', 'es.', '7-9'],
    ['bytes=8-99', 's.', '8-9'],
    ['bytes=-99', text, '0-9'],
  ])('206 for the range %s', async (range, body, shown) => {
    const answer = await ranged(range)
    expect([answer.statusCode, answer.body]).toEqual([206, body])
    expect(answer.headers).toMatchObject({
      'content-range': `bytes ${shown}/10`,
      'content-length': String(body.length),
    })
  })

  it.each(['bytes=10-', 'bytes=99-100', 'bytes=-0'])('416 for the range %s, outside of the file', async (range) => {
    const answer = await ranged(range)
    expect([answer.statusCode, answer.headers['content-range']]).toEqual([416, 'bytes */10'])
  })

  it.each(['bytes=3-1', 'bytes=a-b', 'lines=1-2', 'bytes=0-1,4-5', 'bytes=-'])(
    '200 with everything for %s, which is not one range',
    async (range) => {
      const answer = await ranged(range)
      expect([answer.statusCode, answer.body]).toEqual([200, text])
    },
  )

  it('206 with If-Range only for the same bytes', async () => {
    const etag = String((await get(ana, fileAddress(paper))).headers.etag)
    expect((await ranged('bytes=0-3', { 'if-range': etag })).statusCode).toBe(206)
    for (const other of ['"x"', `W/${etag}`, 'Wed, 21 Oct 2026 07:28:00 GMT']) {
      expect((await ranged('bytes=0-3', { 'if-range': other })).statusCode).toBe(200)
    }
  })

  it('404 unless the name is exactly the stored one', async () => {
    const { id, filename } = paper
    const names = [
      '',
      'note.txt',
      `${filename} `,
      filename.toUpperCase(),
      `../${filename}`,
      filename.replace(String(form.formid), '2147483647'),
      filename.replace(String(form.formid), '99999999999'),
    ]
    for (const name of names) {
      const answer = await get(ana, `/files/${id}?filename=${encodeURIComponent(name)}`)
      expect([name, answer.statusCode, answer.json()]).toEqual([name, 404, { detail: `Filename '${name}' not found.` }])
    }
    expect((await get(ana, `/files/${id}`)).statusCode).toBe(404)
    expect((await get(ana, `/files/abc?filename=${encodeURIComponent(filename)}`)).statusCode).toBe(404)
  })

  it('404 for a stranger, 401 for whoever has not signed in, exactly as for a missing one', async () => {
    const missing = await get(ana, fileAddress({ ...paper, id: 999_999_999 }))
    const hidden = await get(stranger, fileAddress(paper))
    const anonymous = await app.call('GET', fileAddress(paper))
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
    const gone = await app.call('GET', fileAddress({ ...paper, id: 999_999_999 }))
    expect([anonymous.statusCode, anonymous.headers['www-authenticate']]).toEqual([401, 'Basic realm="api"'])
    expect([gone.statusCode, gone.body]).toEqual([401, anonymous.body])
  })

  it('200 for anybody once the data are public, and 401 while only the form is', async () => {
    const open = await photoForm(app, ana)
    const file = await sendFiles(app, ana, open, { paper: { name: 'a.txt', content: text } })
    const patch = (body: object) => app.as(ana)('PATCH', `/forms/${open.formid}`, { body })
    expect((await patch({ public: true })).statusCode).toBe(200)
    expect((await app.call('GET', fileAddress(file))).statusCode).toBe(401)
    expect((await patch({ public_data: true })).statusCode).toBe(200)
    expect((await app.call('GET', fileAddress(file))).statusCode).toBe(200)
  })

  it('200 for whoever sees only their own records with their own, 404 with others, also in parts', async () => {
    const ben = await app.account()
    await share(ben.username, 'dataentry-minor')
    const own = await sendFiles(app, ben, form, { paper: { name: 'own.txt', content: text } })
    expect((await get(ben, fileAddress(own))).statusCode).toBe(200)
    expect((await get(ana, fileAddress(own))).statusCode).toBe(200)
    expect((await get(ben, fileAddress(paper))).statusCode).toBe(404)
    expect((await get(ben, fileAddress(paper), { headers: { range: 'bytes=0-0' } })).statusCode).toBe(404)
    expect((await get(ben, fileAddress(paper), { headers: { 'if-none-match': '*' } })).statusCode).toBe(404)
  })

  it('404 for who may only submit', async () => {
    const carl = await app.account()
    await share(carl.username, 'dataentry-only')
    const own = await sendFiles(app, carl, form, { paper: { name: 'own.txt', content: text } })
    expect((await get(carl, fileAddress(own))).statusCode).toBe(404)
  })

  it('404 for a file that no answer names, and for one of a deleted record', async () => {
    const id = newId()
    const files = [{ name: 'extra.txt', content: text }]
    await send(app, ana, '/ana', instance(form, '<name>Ana</name>', { id }), files)
    const [extra] = await app.database.db.rows<StoredFile>(sql`
      select id, stored_name as filename from attachments where form_id = ${form.formid} and name = 'extra.txt'`)
    expect((await get(ana, fileAddress(extra as StoredFile))).statusCode).toBe(404)
    const gone = await sendFiles(app, ana, form, { paper: { name: 'gone.txt', content: text } })
    expect((await get(ana, fileAddress(gone))).statusCode).toBe(200)
    await app.database.db.run(sql`
      update submissions set deleted_at = now() where form_id = ${form.formid} and id = ${gone.instance}`)
    expect((await get(ana, fileAddress(gone))).statusCode).toBe(404)
  })

  it('404 when the bytes are gone, and the log says which', async () => {
    const lost = await sendFiles(app, ana, form, { paper: { name: 'lost.txt', content: text } })
    await app.deps.files.delete(lost.key)
    expect((await get(ana, fileAddress(lost))).statusCode).toBe(404)
    expect(app.logged.some((line) => line.includes(lost.key))).toBe(true)
  })
})
