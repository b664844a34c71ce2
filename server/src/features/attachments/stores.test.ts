// Files from the other store, and over a real connection.
import { randomBytes } from 'node:crypto'
import { Agent, get, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { fileAddress, jpeg, photoForm, type StoredFile, sendFiles } from '../../../test/support/attachments.js'
import type { PublishedForm } from '../../../test/support/forms.js'
import { type S3StandIn, startS3StandIn } from '../../../test/support/s3.js'
import { runPendingJobs } from '../../platform/jobs/index.js'

const env: Record<string, string> = {}
let s3: S3StandIn
beforeAll(async () => {
  s3 = await startS3StandIn()
  env.FILES_URL = s3.url
})
const app = testApp(env)
afterAll(() => s3.close())

let ana: Account
let form: PublishedForm
let image: Buffer
let photo: StoredFile
beforeAll(async () => {
  ana = await app.account()
  form = await photoForm(app, ana)
  image = await jpeg(900, 600)
  photo = await sendFiles(app, ana, form, { photo: { name: 'a.jpg', content: image } })
})

describe('files in S3', () => {
  it('200 whole, 206 in parts, 416 outside, and pictures beside them', async () => {
    const ask = (suffix?: string, headers: Record<string, string> = {}) =>
      app.as(ana)('GET', fileAddress(photo, suffix), { headers })
    const whole = await ask()
    expect([whole.statusCode, whole.rawPayload.equals(image)]).toEqual([200, true])
    const part = await ask(undefined, { range: 'bytes=10-19' })
    expect([part.statusCode, part.rawPayload]).toEqual([206, image.subarray(10, 20)])
    expect((await ask(undefined, { range: `bytes=${image.length}-` })).statusCode).toBe(416)
    await runPendingJobs(app.deps.db, app.deps.jobs, app.deps.log)
    expect(await app.deps.files.exists(`${photo.key}-small`)).toBe(true)
    for (const [suffix, width] of [
      ['small', 240],
      ['large', 900],
    ] as const) {
      expect(await sharp((await ask(suffix)).rawPayload).metadata()).toMatchObject({ width, format: 'jpeg' })
    }
  })
})

describe('files over a connection', () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  afterAll(() => agent.destroy())
  const options = (file: StoredFile) => ({
    agent,
    host: '127.0.0.1',
    port: (app.http.app.server.address() as AddressInfo).port,
    path: `/api/v1${fileAddress(file)}`,
    headers: { authorization: `Token ${ana.apiToken}` },
  })
  const call = (method: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; length: string | undefined; bytes: Buffer }>((resolve, reject) => {
      const { headers: own, ...rest } = options(photo)
      request({ ...rest, method, headers: { ...own, ...headers } }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            length: answer.headers['content-length'],
            bytes: Buffer.concat(chunks),
          }),
        )
      })
        .on('error', reject)
        .end()
    })
  beforeAll(() => app.http.app.listen({ port: 0, host: '127.0.0.1' }))

  it('HEAD, GET, a part and 304 come one after the other on one of them', async () => {
    const length = String(image.length)
    expect(await call('HEAD')).toEqual({ status: 200, length, bytes: Buffer.alloc(0) })
    expect(await call('GET')).toEqual({ status: 200, length, bytes: image })
    const part = await call('GET', { range: 'bytes=0-9' })
    expect(part).toEqual({ status: 206, length: '10', bytes: image.subarray(0, 10) })
    expect(await call('GET', { 'if-none-match': '*' })).toMatchObject({ status: 304, bytes: Buffer.alloc(0) })
  })

  it('a caller who leaves in the middle leaves nothing open, and the next one is served', async () => {
    const file = await sendFiles(app, ana, form, { paper: { name: 'big.bin', content: randomBytes(9_000_000) } })
    const { files } = app.deps
    const original = files.get
    const closed = new Promise<boolean>((resolve) => {
      files.get = async (...given) => {
        const content = await original(...given)
        content.stream.once('close', () => resolve(content.stream.readableEnded))
        return content
      }
    })
    get(options(file), (answer) => {
      answer.on('error', () => undefined)
      answer.once('data', () => answer.destroy())
    }).on('error', () => undefined)
    expect(await closed).toBe(false)
    files.get = original
    expect((await call('GET')).bytes).toEqual(image)
  })
})
