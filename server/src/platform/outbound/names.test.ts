import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Lookup, openNames } from './names.js'

// A name server that knows known.test and nothing of unknown.test, and never answers for anything else.
let server: Socket
let servers: string[]
let folder: string
let hostsFile: string

const nameIn = (question: Buffer): string => {
  const labels = []
  for (let at = 12; question[at]; at += (question[at] ?? 0) + 1) {
    labels.push(question.toString('latin1', at + 1, at + 1 + (question[at] ?? 0)))
  }
  return labels.join('.').toLowerCase()
}

const answerTo = (question: Buffer): Buffer | undefined => {
  const name = nameIn(question)
  if (name !== 'known.test' && name !== 'unknown.test') return undefined
  const end = 12 + name.length + 2
  const isAddress = question.readUInt16BE(end) === 1
  const isFound = name === 'known.test' && isAddress
  const head = Buffer.from(question.subarray(0, 12))
  head.writeUInt16BE(name === 'known.test' ? 0x8180 : 0x8183, 2)
  head.writeUInt16BE(isFound ? 1 : 0, 6)
  head.writeUInt32BE(0, 8)
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 203, 0, 113, 7])
  return Buffer.concat([head, question.subarray(12, end + 4), isFound ? record : Buffer.alloc(0)])
}

beforeAll(async () => {
  server = createSocket('udp4')
  server.on('message', (question, { port, address }) => {
    const answer = answerTo(question)
    if (answer !== undefined) server.send(answer, port, address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  servers = [`127.0.0.1:${server.address().port}`]
  folder = await mkdtemp(join(tmpdir(), 'sheaf-names-'))
  hostsFile = join(folder, 'hosts')
  await writeFile(
    hostsFile,
    '# ours\n10.1.2.3\tinside.test  store # the store\n  fd00::3 inside.test\nno-address unknown.test\n',
  )
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true })
})

const names = (system: Lookup, milliseconds = 5000) => openNames({ hostsFile, servers, system, milliseconds })
const nobody: Lookup = async (host) => {
  throw new Error(`The system was asked for ${host}`)
}

describe('a name', () => {
  it('is found in the file of hosts, or by the name servers, without the system', async () => {
    const lookup = names(nobody)
    expect((await lookup('localhost')).map(({ address }) => address)).toEqual(['127.0.0.1', '::1'])
    expect(await lookup('app.localhost')).toEqual(await lookup('localhost'))
    expect(await lookup('Inside.test.')).toEqual([
      { address: '10.1.2.3', family: 4 },
      { address: 'fd00::3', family: 6 },
    ])
    expect(await lookup('store')).toEqual([{ address: '10.1.2.3', family: 4 }])
    expect(await lookup('known.test')).toEqual([{ address: '203.0.113.7', family: 4 }])
  })

  it('that the name servers do not know is asked of the system', async () => {
    const lookup = names(async () => [{ address: '192.0.2.1', family: 4 }])
    expect(await lookup('unknown.test')).toEqual([{ address: '192.0.2.1', family: 4 }])
  })

  it('that nobody answers for ends, holds no thread, and holds up no other name', async () => {
    const lookup = names(nobody, 300)
    const slow = Array.from({ length: 20 }, (_, n) => lookup(`n${n}.slow.test`).catch((error) => error.code))
    expect(await lookup('known.test')).toHaveLength(1)
    expect(new Set(await Promise.all(slow))).toEqual(new Set(['EAI_AGAIN']))
  })

  it('keeps one thread of the system busy at most; whoever waits too long gives up their turn', async () => {
    const asked: string[] = []
    const answers: (() => void)[] = []
    const system: Lookup = (host) => {
      asked.push(host)
      return new Promise((resolve) => answers.push(() => resolve([])))
    }
    const lookup = names(system, 200)
    const all = await Promise.allSettled([lookup('unknown.test'), lookup('unknown.test'), lookup('unknown.test')])
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(asked).toHaveLength(1)
    answers[0]?.()
    const next = lookup('unknown.test').catch(() => undefined)
    await expect.poll(() => asked.length).toBe(2)
    answers[1]?.()
    await next
    // Those who left were passed over.
    expect(asked).toHaveLength(2)
  })
})
