// A store that means ill, or is ill: whatever it says, a call ends, memory does not grow, and nobody else gets our keys.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { budgets } from '../../budgets.js'
import type { ListedFile } from './files.js'
import { type Files, FileTooLarge, StoreUnavailable } from './index.js'
import { parseFilesUrl, type S3Location } from './location.js'
import type { S3Limits } from './s3-client.js'
import { openS3Files } from './s3-files.js'

type Speak = (request: IncomingMessage, response: ServerResponse) => void

interface Peer {
  readonly server: Server
  readonly port: number
  speak: Speak
  calls: number
  sent: number
}

const startPeer = async (): Promise<Peer> => {
  const server = createServer((request, response) => {
    peer.calls += 1
    response.on('error', () => undefined)
    peer.speak(request.resume(), response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const peer = {
    server,
    port: (server.address() as AddressInfo).port,
    speak: () => undefined,
    calls: 0,
    sent: 0,
  } as Peer
  return peer
}

let peer: Peer
let other: Peer
const opened: Files[] = []

beforeEach(async () => {
  peer = await startPeer()
  other = await startPeer()
})
afterEach(() => {
  for (const files of opened.splice(0)) files.close()
  for (const { server } of [peer, other]) {
    server.closeAllConnections()
    server.close()
  }
})

/** Times that a test can wait for; everything else is as in the budget. */
const hurried: S3Limits = {
  ...budgets.files,
  answerMs: budgets.files.answerMs / 80,
  patienceMs: budgets.files.patienceMs / 40,
}

/** Where every call fails in any case, the sooner the better. */
const impatient: S3Limits = { ...hurried, answerMs: hurried.answerMs / 3, patienceMs: hurried.patienceMs / 3 }

const open = (limits = hurried): Files => {
  const location = parseFilesUrl(`s3://KEY:SECRET@127.0.0.1:${peer.port}/bucket/some/prefix?ssl=false`)
  const files = openS3Files(location as S3Location, limits)
  opened.push(files)
  return files
}

const bytesOf = (count: number) => Readable.from(Array.from({ length: count }, () => Buffer.alloc(64 * 1024, 'x')))

const listOf = (listed: AsyncIterable<ListedFile>): Promise<ListedFile[]> => Readable.from(listed).toArray()

/** Everything that a store is asked for; each is to end. */
const operations: [string, (files: Files) => Promise<unknown>][] = [
  ['a small file is put', (files) => files.put('a', bytesOf(1))],
  ['a large file is put', (files) => files.put('a', bytesOf(120))],
  ['a file is read', async (files) => buffer((await files.get('a')).stream)],
  ['a part is read', async (files) => buffer((await files.get('a', { range: { start: 5, end: 9 } })).stream)],
  ['a file is looked for', (files) => files.exists('a')],
  ['a file is deleted', (files) => files.delete('a')],
  ['files are listed', (files) => listOf(files.list())],
]

const flood = (response: ServerResponse, chunk: Buffer): void => {
  // Of HEAD nothing is sent, so nothing would ever be too much.
  if (response.req.method === 'HEAD') return void response.end()
  const pour = () => {
    while (!response.destroyed && response.write(chunk)) peer.sent += chunk.length
    if (!response.destroyed) response.once('drain', pour)
  }
  pour()
}

const listing = (keys: string[], isTruncated: boolean) =>
  `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isTruncated}</IsTruncated><NextContinuationToken>t</NextContinuationToken>${keys
    .map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`)
    .join('')}</ListBucketResult>`

describe.each(operations)('while %s', (_name, run) => {
  it.each<[string, Speak]>([
    ['never answers', () => undefined],
    ['drips its headers', (_request, response) => drip(response.socket ?? response, 'HTTP/1.1 200 OK\r\n', 'x: y\r\n')],
    ['hangs up', (request) => request.socket.destroy()],
    ['answers in another language', (request) => request.socket.end('220 mail.example.org ESMTP\r\n')],
    ['redirects elsewhere', (_request, response) => redirect(response, 307)],
    ['has moved for good', (_request, response) => redirect(response, 301)],
    ['no longer knows our key', (_request, response) => response.writeHead(403).end(error('InvalidAccessKeyId'))],
    ['calls us wrong', (_request, response) => response.writeHead(400).end('<html>Bad Request</html>')],
    ['fails in HTML', (_request, response) => response.writeHead(502).end('<html><body>Bad Gateway</body></html>')],
    ['fails without end', (_request, response) => flood(response.writeHead(500), Buffer.alloc(65_536, '<a>'))],
    ['refuses without end', (_request, response) => flood(response.writeHead(403), Buffer.alloc(65_536, '<a>'))],
    ['drips an error', (_request, response) => drip(response.writeHead(500), '<Error>', '<a>')],
    ['fails with entities', (_request, response) => response.writeHead(400).end(laughs)],
    ['fails nested without end', (_request, response) => response.writeHead(400).end('<a>'.repeat(300_000))],
  ])('503 when the store %s: it ends, and nobody else is called', async (_name, speak) => {
    peer.speak = speak
    const begun = performance.now()
    const failure = await run(open(impatient)).catch((reason) => reason)
    expect(failure).toBeInstanceOf(StoreUnavailable)
    expect(performance.now() - begun).toBeLessThan(15_000)
    expect(other.calls).toBe(0)
    // Twice, and what is in the buffers of both ends.
    expect(peer.sent).toBeLessThan(4 * budgets.files.answerBytes)
  })
})

const error = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`
const laughs = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a0 "ha">${Array.from(
  { length: 30 },
  (_, n) => `<!ENTITY a${n + 1} "&a${n};&a${n};">`,
).join('')}]><Error><Code>&a30;</Code></Error>`

const drip = (to: NodeJS.WritableStream, head: string, more: string): void => {
  to.write(head)
  const timer = setInterval(() => to.write(more), 20)
  to.on('close', () => clearInterval(timer))
  to.on('error', () => undefined)
}

const redirect = (response: ServerResponse, status: number): void => {
  const location = `http://127.0.0.1:${other.port}/bucket/a`
  const body = `<Error><Code>TemporaryRedirect</Code><Endpoint>127.0.0.1:${other.port}</Endpoint></Error>`
  response.writeHead(status, { location, 'x-amz-bucket-region': 'eu-west-9' }).end(body)
}

describe('an answer of the store', () => {
  it('that is no file is read up to budgets.files.answerBytes, and refused beyond', async () => {
    const page = listing(['some/prefix/a'], false)
    let length: number = budgets.files.answerBytes
    peer.speak = (_request, response) => response.end(page.replace('?>', `?>${' '.repeat(length - page.length)}`))
    expect(await listOf(open(budgets.files).list())).toHaveLength(1)
    length += 1
    await expect(listOf(open(budgets.files).list())).rejects.toThrow(StoreUnavailable)
  })

  it.each<[string, Speak]>([
    [
      'is shorter than it says',
      (_request, response) => {
        response.writeHead(200, { 'content-length': 100 }).write('short')
        setTimeout(() => response.destroy(), 50)
      },
    ],
    ['does not say how long it is', (_request, response) => flood(response.writeHead(200), Buffer.alloc(65_536))],
    ['drips', (_request, response) => drip(response.writeHead(200, { 'content-length': 1e6 }), 'x', 'x')],
    ['falls silent', (_request, response) => void response.writeHead(200, { 'content-length': 1e6 }).write('x')],
    [
      'is a part that nobody asked for',
      (_request, response) =>
        response.writeHead(206, { 'content-range': 'bytes 5-9/100', 'content-length': 5 }).end('xxxxx'),
    ],
  ])('that %s is no file', async (_name, speak) => {
    peer.speak = speak
    const begun = performance.now()
    await expect(
      open()
        .get('a')
        .then(({ stream }) => buffer(stream)),
    ).rejects.toThrow()
    expect(performance.now() - begun).toBeLessThan(10_000)
  })

  it.each<[string, Record<string, string>]>([
    ['the whole file', {}],
    ['another part', { 'content-range': 'bytes 0-4/100' }],
    ['a longer part', { 'content-range': 'bytes 5-50/100' }],
    ['a part of nothing', { 'content-range': 'bytes */100' }],
  ])('with %s is none to who asked for a part', async (_name, headers) => {
    peer.speak = (_request, response) =>
      response.writeHead(headers['content-range'] ? 206 : 200, { ...headers, 'content-length': 5 }).end('xxxxx')
    await expect(open().get('a', { range: { start: 5, end: 9 } })).rejects.toThrow(StoreUnavailable)
  })

  it('that comes faster than budgets.files.leastBytesPerSecond is a file, whatever time its reader takes; a slower one is none', async () => {
    const [ticks, tickMs] = [60, 40]
    const pour =
      (factor: number): Speak =>
      (_request, response) => {
        const chunk = Buffer.alloc(Math.ceil((budgets.files.leastBytesPerSecond * factor * tickMs) / 1000))
        response.writeHead(200, { 'content-length': ticks * chunk.length })
        let count = 0
        const timer = setInterval(() => {
          response.write(chunk)
          if (++count === ticks) clearInterval(timer)
        }, tickMs)
        response.on('close', () => clearInterval(timer))
      }
    peer.speak = pour(10)
    const { stream, bytes } = await open().get('a')
    let read = 0
    for await (const chunk of stream) {
      if (read === 0) await new Promise((resolve) => setTimeout(resolve, 2 * hurried.patienceMs))
      read += chunk.length
    }
    expect(read).toBe(bytes)
    peer.speak = pour(0.5)
    const slow = await open().get('a')
    await expect(buffer(slow.stream)).rejects.toThrow('too slowly')
  })
})

describe('a list of the store', () => {
  const ask = () => listOf(open().list())

  it.each<[string, string]>([
    ['the same page for ever', listing(['some/prefix/a', 'some/prefix/b'], true)],
    ['empty pages for ever', listing([], true)],
    ['pages that go back', listing(['some/prefix/b', 'some/prefix/a'], true)],
  ])('of %s ends', async (_name, page) => {
    peer.speak = (_request, response) => response.end(page)
    await expect(ask()).rejects.toThrow(StoreUnavailable)
    expect(peer.calls).toBeLessThan(4)
  })

  it('holds keys only, of the folder that was asked for', async () => {
    const keys = [
      'some/prefix/../../etc/passwd',
      '../a',
      'some/prefix//b',
      'else/prefix/cc',
      'some/prefix/',
      'some/prefix/d',
    ]
    peer.speak = (_request, response) => response.end(listing(keys, false))
    expect((await ask()).map(({ key }) => key)).toEqual(['d'])
  })
})

describe('a put', () => {
  it('that ends with an error in the middle of a success is none', async () => {
    peer.speak = (request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://s3')
      if (searchParams.has('uploads')) response.end('<R><UploadId>u</UploadId></R>')
      else if (request.method === 'PUT') response.writeHead(200, { etag: '"e"' }).end()
      else response.end(error('InternalError'))
    }
    await expect(open().put('a', bytesOf(120))).rejects.toThrow(StoreUnavailable)
  })

  it('keeps what was wrong with the file itself apart from trouble of the store', async () => {
    peer.speak = (_request, response) => response.writeHead(200, { etag: '"e"' }).end()
    await expect(open().put('a', bytesOf(2), { maxBytes: 10 })).rejects.toThrow(FileTooLarge)
    const broken = Readable.from(
      (async function* () {
        yield Buffer.alloc(10)
        throw new Error('the sender hung up')
      })(),
    )
    await expect(open().put('a', broken)).rejects.toThrow('the sender hung up')
  })
})

describe('lines to the store', () => {
  it('are enough for budgets.files.connections files that are read slowly, and for nobody else to wait without end', async () => {
    peer.speak = (request, response) => {
      if (request.method === 'GET') response.writeHead(200, { 'content-length': 1e9 }).write(Buffer.alloc(65_536))
      else response.end()
    }
    const files = open({ ...budgets.files, answerMs: 8000 })
    const held = await Promise.all(Array.from({ length: budgets.files.connections - 1 }, () => files.get('a')))
    expect(await files.exists('a')).toBe(true)
    held.push(await files.get('a'))
    await expect(files.exists('a')).rejects.toThrow(StoreUnavailable)
    for (const { stream } of held) stream.destroy()
  })
})
