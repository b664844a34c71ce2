import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { multipart, type Part as SentPart } from '../../../test/support/multipart.js'
import { MultipartMalformed, MultipartTooLarge, readMultipart } from './index.js'

const boundary = 'xYzZy0123456789'
const maxParts = 20

const request = (body: Buffer, chunkBytes: number, headers: Record<string, string> = {}): IncomingMessage => {
  const chunks: Buffer[] = []
  for (let at = 0; at < body.length; at += chunkBytes) chunks.push(body.subarray(at, at + chunkBytes))
  const stream = Readable.from(chunks, { objectMode: false })
  return Object.assign(stream, {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, ...headers },
  }) as unknown as IncomingMessage
}

const collect = async (stream: Readable) => Buffer.concat(await stream.toArray())

const read = (body: Buffer, how: 'whole' | 'streamed', limits: { maxBytes?: number } = {}) =>
  readMultipart(request(body, how === 'whole' ? body.length || 1 : 7, { 'content-length': String(body.length) }), {
    maxBytes: limits.maxBytes ?? 1_000_000,
    maxParts,
    maxWantedBytes: 1_000_000,
    memoryBytes: how === 'whole' ? 1_000_000 : 0,
    isWanted: ({ name }) => name === 'xml',
    keep: (_info, stream) => collect(stream),
  })

const parts: SentPart[] = [
  { name: 'xml', filename: 'a.xml', type: 'text/xml', content: '<a/>\r\n--not' },
  { name: 'photo.jpg', filename: 'photo.jpg', type: 'image/jpeg', content: Buffer.from([0, 255, 13, 10, 45, 45, 1]) },
  { name: 'field', content: 'plain' },
  { name: 'empty', filename: 'empty.txt', type: 'text/plain', content: '' },
]

describe.each(['whole', 'streamed'] as const)('a body that is read %s', (how) => {
  it('gives its parts in order, byte for byte', async () => {
    const found = await read(multipart(parts, boundary).body, how)
    expect(found.map(({ name, filename }) => [name, filename])).toEqual(
      [
        ['xml', 'a.xml'],
        ['photo.jpg', 'photo.jpg'],
        ['field', undefined],
        ['empty', 'empty.txt'],
      ].sort(byPlaceIn(found)),
    )
    for (const part of parts) {
      const content = found.find(({ name }) => name === part.name)?.content
      expect(content).toEqual(Buffer.from(part.content))
    }
  })

  it.each([
    ['cut short', multipart(parts, boundary).body.subarray(0, -30)],
    ['without a part', Buffer.from('')],
    ['something else', Buffer.from('hello')],
  ])('that is %s is malformed', async (_what, body) => {
    await expect(read(body, how)).rejects.toThrow(MultipartMalformed)
  })

  it('has as many parts as it may, and not one more', async () => {
    const bodyOf = (count: number) =>
      multipart(
        Array.from({ length: count }, (_, number) => ({ name: `field${number}`, content: 'x' })),
        boundary,
      ).body
    expect(await read(bodyOf(maxParts), how)).toHaveLength(maxParts)
    await expect(read(bodyOf(maxParts + 1), how)).rejects.toThrow(MultipartMalformed)
  })

  it('that is too large is refused', async () => {
    await expect(read(multipart(parts, boundary).body, how, { maxBytes: 100 })).rejects.toThrow(MultipartTooLarge)
  })
})

/** Fields and files of a streamed body come as they are ready. */
const byPlaceIn =
  (found: readonly { name: string }[]) =>
  (a: (string | undefined)[], b: (string | undefined)[]): number =>
    found.findIndex(({ name }) => name === a[0]) - found.findIndex(({ name }) => name === b[0])

describe('both ways of reading', () => {
  it('find the same parts in whatever is sent', async () => {
    const part = fc.record({
      name: fc.constantFrom('xml', 'a', 'b.jpg', 'naïve'),
      filename: fc.constantFrom('x.xml', 'b.jpg', 'naïve é.png'),
      type: fc.constant('application/octet-stream'),
      content: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 6 }), async (sent) => {
        const { body } = multipart(sent, boundary)
        const shown = (found: Awaited<ReturnType<typeof read>>) =>
          found.map(({ name, filename, content }) => `${name} ${filename} ${(content as Buffer).toString('hex')}`)
        expect(shown(await read(body, 'whole'))).toEqual(shown(await read(body, 'streamed')))
      }),
      { numRuns: 200 },
    )
  })

  it('a length that is announced and not kept is malformed; a body too large is refused before it is read', async () => {
    const { body } = multipart(parts, boundary)
    const options = {
      maxBytes: 1000,
      maxParts: 20,
      maxWantedBytes: 1000,
      memoryBytes: 1000,
      isWanted: () => true,
      keep: async () => Buffer.alloc(0),
    }
    const lying = request(body, 10, { 'content-length': String(body.length + 1) })
    await expect(readMultipart(lying, options)).rejects.toThrow(MultipartMalformed)
    const large = request(body, 10, { 'content-length': '1001' })
    await expect(readMultipart(large, options)).rejects.toThrow(MultipartTooLarge)
  })

  it('a part that cannot be kept is told when every other has been kept or has failed too', async () => {
    const { body } = multipart(parts, boundary)
    const ended: string[] = []
    const reading = readMultipart(request(body, body.length), {
      maxBytes: 1000,
      maxParts: 20,
      maxWantedBytes: 1000,
      memoryBytes: 0,
      isWanted: ({ name }) => name === 'xml',
      keep: async ({ name }, stream) => {
        const content = await collect(stream)
        if (name === 'photo.jpg') throw new Error('no room')
        for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
        ended.push(name)
        return content
      },
    })
    await expect(reading).rejects.toThrow('no room')
    expect(ended).toEqual(['empty'])
  })

  it('a boundary in quotes, a preamble, and blanks behind a boundary are understood', async () => {
    const text = `preamble\r\n--b b  \r\nContent-Disposition: form-data; name="xml"\r\n\r\n1\r\n--b b--\r\nepilogue`
    const body = Buffer.from(text)
    const headers = { 'content-type': 'multipart/form-data; boundary="b b"', 'content-length': String(body.length) }
    const found = await readMultipart(request(body, 100, headers), {
      maxBytes: 1000,
      maxParts: 20,
      maxWantedBytes: 1000,
      memoryBytes: 1000,
      isWanted: () => true,
      keep: async () => Buffer.alloc(0),
    })
    expect(found.map(({ content }) => content.toString())).toEqual(['1'])
  })
})
