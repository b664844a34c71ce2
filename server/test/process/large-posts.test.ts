// A film of 60 MB goes through the server as it is run, and never lies in its memory.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServerProcess, workplace } from '../support/process.js'
import { submissionBody } from '../support/submissions.js'

const film = { pieces: 600, bytes: 100_000 }
const id = '5b2cc313-fc09-437e-8149-fcd32f695d41'

let place: Awaited<ReturnType<typeof workplace>>
let server: ServerProcess
const basic = { authorization: `Basic ${Buffer.from('ana:correct horse').toString('base64')}` }

beforeAll(async () => {
  place = await workplace({ hasDatabase: true })
  server = await place.start().ready()
  await server.register('ana')
})
afterAll(() => place.clean())

/** The most memory that the process has ever taken. */
const peakMegabytes = (): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024

const json = async (answer: Promise<Response>) => (await answer).json()

const publish = async (): Promise<{ formid: number; id_string: string }> => {
  const [project] = await json(server.call('/api/v1/projects', { headers: basic }))
  const body = new FormData()
  const text = 'survey\n,type,name,label\n,video,film,Film\nsettings\n,form_id\n,films\n'
  body.set('xls_file', new File([text], 'films.csv', { type: 'text/csv' }))
  const to = project?.projectid ?? 0
  const made = await server.call(to === 0 ? '/api/v1/forms' : `/api/v1/projects/${to}/forms`, {
    method: 'POST',
    body,
    headers: basic,
  })
  if (made.status !== 201) throw new Error(await made.text())
  return made.json() as Promise<{ formid: number; id_string: string }>
}

/** Byte for byte as a phone sends it, without the film in the memory of the test. */
const filmPost = (formId: string) => {
  const xml = `<data id="${formId}"><film>a.mp4</film><meta><instanceID>uuid:${id}</instanceID></meta></data>`
  const { body, headers } = submissionBody(xml, [{ name: 'a.mp4', content: '', type: 'video/mp4' }])
  const end = body.lastIndexOf('\r\n--')
  const md5 = createHash('md5')
  function* pieces(): Generator<Buffer> {
    yield body.subarray(0, end)
    for (let number = 0; number < film.pieces; number++) {
      const piece = Buffer.alloc(film.bytes, `piece ${number}`)
      md5.update(piece)
      yield piece
    }
    yield body.subarray(end)
  }
  const length = String(body.length + film.pieces * film.bytes)
  return {
    source: Readable.from(pieces(), { objectMode: false }),
    headers: { ...headers, 'content-length': length },
    md5,
  }
}

describe('a film of 60 MB', () => {
  it('201 in one post, byte for byte, while the process takes less than 40 MB more; 202 when it is sent again', async ({
    skip,
  }) => {
    skip(process.platform !== 'linux', 'memory is read from /proc')
    const form = await publish()
    const statuses: number[] = []
    const sums: string[] = []
    const before = peakMegabytes()
    for (const _ of [1, 2]) {
      const { source, headers, md5 } = filmPost(form.id_string)
      const body = Readable.toWeb(source) as ReadableStream
      const answer = await server.call('/ana/submission', {
        method: 'POST',
        body,
        headers: { ...headers, ...basic },
        duplex: 'half',
      } as RequestInit)
      statuses.push(answer.status)
      sums.push(md5.digest('hex'))
      await answer.text()
    }
    expect(statuses).toEqual([201, 202])
    expect(peakMegabytes() - before).toBeLessThan(40)
    const [file] = (await json(server.call(`/api/v1/data/${form.formid}/${id}`, { headers: basic })))._attachments
    const stored = await server.call(file.download_url, { headers: basic })
    const found = createHash('md5')
    let bytes = 0
    for await (const piece of stored.body as unknown as AsyncIterable<Uint8Array>) {
      found.update(piece)
      bytes += piece.length
    }
    expect([bytes, found.digest('hex')]).toEqual([film.pieces * film.bytes, sums[0]])
  })
})
