// What Collect sends over plain http with nothing but an address, byte for byte over a socket.
import { createHash, hash } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { deadText, type KeyBody, messageIn, newKey } from '../../../test/support/keys.js'
import { multipart } from '../../../test/support/multipart.js'
import { newProject } from '../../../test/support/projects.js'
import { newId } from '../../../test/support/submissions.js'
import { budgets } from '../../budgets.js'
import { decodeSettings } from '../../formats/collect-settings/index.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let project: number
let form: PublishedForm
let port: number

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  await app.as(ana)('PATCH', '/profiles/ana', { body: { require_auth: true } })
  project = await newProject(app, ana)
  form = await publish(
    app,
    ana,
    sheet('type,name,label\ntext,name,Name\nimage,photo,Photo\nvideo,film,Film', {
      settings: { form_id: 'visit', form_title: 'Visit', version: '1', client_editable: 'yes' },
    }),
    { project },
  )
  const media = multipart([
    { name: 'xform', content: String(form.formid) },
    { name: 'data_type', content: 'media' },
    { name: 'data_value', content: 'people.csv' },
    { name: 'data_file', filename: 'people.csv', type: 'text/csv', content: 'name\namina\n' },
  ])
  await app.as(ana)('POST', '/metadata', media)
  await app.http.app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.http.app.server.address() as { port: number }).port
})
afterAll(() => app.http.app.server.closeAllConnections())

interface Answer {
  status: number
  headers: string
  body: string
  all: string
}

const host = () => `127.0.0.1:${port}`

/** Bytes there and back on one connection. */
const exchange = (request: Buffer): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' })
    let all = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      all += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => {
      const end = all.indexOf('\r\n\r\n')
      resolve({ status: Number(all.slice(9, 12)), headers: all.slice(0, end), body: all.slice(end + 4), all })
    })
    socket.write(request)
  })

const lines = (...rows: string[]): string => `${rows.join('\r\n')}\r\n\r\n`
const agent = 'User-Agent: org.odk.collect.android/v2026.2.1 Dalvik/2.1.0 (Linux; U; Android 14; Pixel 7)'
const common = (date: string) => [agent, 'X-OpenRosa-Version: 1.0', `Date: Sun, 15 Nov 2026 08:00:0${date} GMT`]

const ask = (method: string, path: string, device = 'collect:xYzAbC') =>
  exchange(
    Buffer.from(
      lines(
        `${method} ${path}${path.includes('?') ? '&' : '?'}deviceID=${encodeURIComponent(device)} HTTP/1.1`,
        ...common('1'),
        'Accept-Encoding: identity',
        `Host: ${host()}`,
        'Connection: close',
      ),
    ),
  )

interface CollectPart {
  name: string
  filename?: string
  type: string
  bytes: Buffer
}

const boundary = '2a7c9f0e-44c1-4d7b-9d0a-0c3c4a7f6f10'

/** As OkHttp writes multipart. */
const collectBody = (parts: readonly CollectPart[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ name, filename, type, bytes }) => [
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\nContent-Type: ${type}\r\nContent-Length: ${bytes.length}\r\n\r\n`,
      ),
      bytes,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ])

const postHead = (key: Pick<KeyBody, 'token'>, length: number, device: string, ...more: string[]) =>
  Buffer.from(
    lines(
      `POST /key/${key.token}/submission?deviceID=${encodeURIComponent(device)} HTTP/1.1`,
      ...common('2'),
      `Content-Type: multipart/form-data; boundary=${boundary}`,
      `Content-Length: ${length}`,
      ...more,
      `Host: ${host()}`,
      'Connection: close',
    ),
  )

const xmlPart = (text: string): CollectPart => ({
  name: 'xml_submission_file',
  filename: 'Visit_2026-11-15_08-00-00.xml',
  type: 'text/xml; charset=utf-8',
  bytes: Buffer.from(text),
})
const filePart = (name: string, bytes: Buffer): CollectPart => ({ name, filename: name, type: 'image/png', bytes })
const incomplete: CollectPart = { name: '*isIncomplete*', type: 'text/plain; charset=utf-8', bytes: Buffer.from('yes') }

const post = (key: Pick<KeyBody, 'token'>, parts: readonly CollectPart[], device = 'collect:xYzAbC') => {
  const body = collectBody(parts)
  return exchange(Buffer.concat([postHead(key, body.length, device), body]))
}

const xml = (id: string, { name = 'Otieno', deprecated = '' } = {}) =>
  `<?xml version='1.0' ?><data id="visit" version="1" xmlns:orx="http://openrosa.org/xforms" xmlns:odk="http://www.opendatakit.org/xforms"><form><uuid>${form.uuid}</uuid></form><name>${name}</name><photo>1.png</photo><film>1.mp4</film><meta><instanceID>uuid:${id}</instanceID>${deprecated === '' ? '' : `<deprecatedID>uuid:${deprecated}</deprecatedID>`}</meta></data>`

const record = async (id: string) =>
  (await app.as(ana)('GET', `/data/${form.formid}`, { query: { query: JSON.stringify({ _uuid: id }) } })).json()[0]

const urlIn = (text: string, element: string) =>
  new URL(new RegExp(`<${element}>([^<]*)</${element}>`).exec(text)?.[1] ?? '')

describe('ODK Collect with a key, over plain http', () => {
  it('lists, fetches the form, its manifest and its file, probes, sends in two posts, and edits what it sent', async () => {
    const key = await newKey(app, ana, project, { name: 'Tablet 7' })
    // What the phone has scanned is all that it knows.
    const code = (await app.as(ana)('GET', `/keys/${key.id}/settings.txt`)).body
    const scanned = new URL(String(decodeSettings(code).general.server_url)).pathname
    const list = await ask('GET', `${scanned}/formList`)
    expect([list.status, list.headers.toLowerCase().includes('content-type: text/xml')]).toEqual([200, true])
    const download = urlIn(list.body, 'downloadUrl')
    expect([download.host, download.pathname]).toEqual([host(), `/key/${key.token}/forms/${form.formid}/form.xml`])
    const downloaded = await ask('GET', download.pathname)
    const md5 = createHash('md5').update(downloaded.body).digest('hex')
    expect(list.body).toContain(`<hash>md5:${md5}</hash>`)
    const manifest = await ask('GET', urlIn(list.body, 'manifestUrl').pathname)
    const file = await ask('GET', urlIn(manifest.body, 'downloadUrl').pathname)
    expect(file.body).toBe('name\namina\n')

    const probe = await ask('HEAD', `/key/${key.token}/submission`)
    expect(probe.status).toBe(204)
    expect(probe.headers).toContain(`location: http://${host()}/key/${key.token}/submission?deviceID=collect%3AxYzAbC`)

    const id = newId()
    const first = await post(key, [xmlPart(xml(id)), filePart('1.png', Buffer.from('photo')), incomplete])
    expect([first.status, messageIn(first.body)]).toEqual([201, 'full submission upload was successful!'])
    expect(await record(id)).toMatchObject({ _media_count: 1, _media_all_received: false })
    // A film of 60 MB is larger than what is announced, and comes alone.
    const film = Buffer.alloc(60_000_000, 'frame')
    const second = await post(key, [xmlPart(xml(id)), filePart('1.mp4', film)])
    expect(second.status).toBe(202)
    const { _attachments: files } = await record(id)
    const address = files.find(({ name }: { name: string }) => name === '1.mp4').download_url
    const kept = await app.as(ana)('GET', address.replace('/api/v1', ''))
    expect(hash('md5', kept.rawPayload)).toBe(hash('md5', film))
    expect(await record(id)).toMatchObject({
      _media_all_received: true,
      _submitted_by: null,
      _device_key: 'Tablet 7',
      _device_id: 'collect:xYzAbC',
    })
    const stored = await app.deps.db.one<{ agent: string }>(sql`
      select device_agent as agent from submissions where form_id = ${form.formid} and uuid = ${id}`)
    expect(stored.agent).toMatch(/^org\.odk\.collect\.android\/v2026\.2\.1 Dalvik/)

    const edited = newId()
    const parts = [xmlPart(xml(edited, { name: 'Achieng', deprecated: id })), filePart('1.png', Buffer.from('photo'))]
    expect((await post(key, parts)).status).toBe(201)
    expect(await record(edited)).toMatchObject({ name: 'Achieng', _edited: true, _last_edited_by: null })

    await app.as(ana)('POST', `/keys/${key.id}/revoke`)
    const refused = await post(key, [xmlPart(xml(newId()))])
    expect([refused.status, messageIn(refused.body)]).toEqual([403, deadText])
    expect((await ask('GET', `/key/${key.token}/formList`)).status).toBe(403)
    expect((await ask('HEAD', `/key/${key.token}/submission`)).status).toBe(403)
  })

  it('two phones with one code are told apart', async () => {
    const key = await newKey(app, ana, project)
    const ids = [newId(), newId()]
    for (const [n, id] of ids.entries()) await post(key, [xmlPart(xml(id))], `collect:phone${n}`)
    expect(await Promise.all(ids.map(async (id) => (await record(id))._device_id))).toEqual([
      'collect:phone0',
      'collect:phone1',
    ])
  })

  it('Location is below the same host, also where the request names it in full, with a key and without', async () => {
    const key = await newKey(app, ana, project)
    for (const path of [`/key/${key.token}/submission`, '/me/ana/submission', '/ana/submission']) {
      const authorization = path.startsWith('/key') ? [] : [`Authorization: Token ${ana.apiToken}`]
      const rows = [`HEAD http://${host()}${path} HTTP/1.1`, `Host: ${host()}`, ...authorization, 'Connection: close']
      const answer = await exchange(Buffer.from(lines(...rows)))
      expect([answer.status, answer.headers]).toEqual([
        204,
        expect.stringContaining(`location: http://${host()}${path}\r\n`),
      ])
    }
  })
})

describe('403 for a dead key, before the body is there', () => {
  const dead = { token: 'x'.repeat(32) }

  /** Writes pieces until an answer has come whole, and tells how much that took. */
  const sendUntilAnswered = (head: Buffer, piece: Buffer, mostPieces: number) =>
    new Promise<{ answer: string; written: number; closed: boolean }>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1' })
      let answer = ''
      let written = 0
      socket.setEncoding('utf8')
      socket.on('error', () => undefined)
      socket.on('data', (chunk) => {
        answer += chunk
      })
      socket.on('close', () => resolve({ answer, written, closed: true }))
      const write = () => {
        if (socket.destroyed || written >= mostPieces) return
        written++
        socket.write(piece, () => setImmediate(write))
      }
      socket.write(head, write)
    })

  it('answers while a large body is still being sent, drops budgets.bodies.droppedBytes of it, and closes', async () => {
    const head = postHead(dead, 50_000_000, 'collect:late')
    const piece = Buffer.alloc(64 * 1024)
    const { answer, closed, written } = await sendUntilAnswered(head, piece, 700)
    expect(written * piece.length).toBeGreaterThan(budgets.bodies.droppedBytes)
    expect(written).toBeLessThan(700)
    expect(answer).toMatch(/^HTTP\/1\.1 403 /)
    expect(messageIn(answer)).toBe(deadText)
    expect(answer.toLowerCase()).toContain('connection: close')
    expect(closed).toBe(true)
  })

  it('answers at once who sends nothing more, and closes after budgets.bodies.droppedMs', async () => {
    const begun = Date.now()
    const answer = await exchange(postHead(dead, 5000, 'collect:gone'))
    expect([answer.status, messageIn(answer.body)]).toEqual([403, deadText])
    expect(Date.now() - begun).toBeGreaterThanOrEqual(budgets.bodies.droppedMs - 100)
  })

  it('answers whoever asks before they send, without telling them to go on; a good key is told to', async () => {
    const expecting = 'Expect: 100-continue'
    const refused = await exchange(postHead(dead, 1000, 'collect:asks', expecting))
    expect(refused.all).toMatch(/^HTTP\/1\.1 403 /)
    const key = await newKey(app, ana, project)
    const body = collectBody([xmlPart(xml(newId()))])
    const taken = await exchange(Buffer.concat([postHead(key, body.length, 'collect:asks', expecting), body]))
    expect(taken.all).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /)
  })
})
