// What is wrong below the requests: heads that lie, two requests in one, methods that there are not, sockets that say nothing.
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, Part } from '../part.js'
import { register } from '../world/account.js'

interface Raw {
  readonly name: string
  readonly bytes: string
  /** How many answers are due. */
  readonly answers: number
  /** How many there may be; without it as many as are due, or one. */
  readonly most?: number
  /** Text that may not be in any answer. */
  readonly without?: string
  /** The socket must be closed, or the first status be one of these. */
  readonly statuses?: readonly number[]
}

const host = 'Host: 127.0.0.1\r\n'
const end = 'Connection: close\r\n\r\n'
const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\n${host}${headers}${end}`
const pipelined = (count: number): string =>
  `${`GET /healthz HTTP/1.1\r\n${host}\r\n`.repeat(count - 1)}GET /healthz HTTP/1.1\r\n${host}${end}`
const evil = 'evil.example'
const refused = [400, 404, 405, 408, 411, 413, 414, 415, 417, 421, 426, 431, 501, 505]

const rawRequests: readonly Raw[] = [
  {
    name: 'a huge header',
    bytes: get('/api/v1/', `X-A: ${'a'.repeat(100_000)}\r\n`),
    answers: 1,
    statuses: [431, 400],
  },
  { name: 'many headers', bytes: get('/api/v1/', 'X-A: b\r\n'.repeat(5000)), answers: 1, statuses: [200, 431, 400] },
  { name: 'a huge address', bytes: get(`/api/v1/${'a'.repeat(100_000)}`), answers: 1, statuses: refused },
  { name: 'no host', bytes: `GET /api/v1/ HTTP/1.1\r\n${end}`, answers: 1, statuses: [400] },
  { name: 'two hosts', bytes: `GET /api/v1/ HTTP/1.1\r\n${host}Host: ${evil}\r\n${end}`, answers: 1, without: evil },
  {
    name: 'a host that is none',
    bytes: `GET /api/v1/ HTTP/1.1\r\nHost: a b<c>"\r\n${end}`,
    answers: 1,
    without: '<c>',
  },
  {
    name: 'a host with a path',
    bytes: `GET /api/v1/ HTTP/1.1\r\nHost: ${evil}/x?y\r\n${end}`,
    answers: 1,
    without: `${evil}/x`,
  },
  {
    name: 'a forwarded host',
    bytes: get(
      '/api/v1/',
      `X-Forwarded-Host: ${evil}\r\nX-Forwarded-Proto: gopher\r\nForwarded: host=${evil}\r\nX-Forwarded-For: 1.2.3.4\r\nX-Original-URL: /admin\r\n`,
    ),
    answers: 1,
    without: evil,
  },
  {
    name: 'a method that there is not',
    bytes: `FOO /api/v1/ HTTP/1.1\r\n${host}${end}`,
    answers: 1,
    statuses: refused,
  },
  {
    name: 'TRACE',
    bytes: `TRACE /api/v1/ HTTP/1.1\r\n${host}X-Secret: canary\r\n${end}`,
    answers: 1,
    without: 'canary',
    statuses: refused,
  },
  { name: 'CONNECT', bytes: `CONNECT 127.0.0.1:22 HTTP/1.1\r\n${host}${end}`, answers: 0 },
  {
    name: 'PROPFIND',
    bytes: `PROPFIND /api/v1/forms HTTP/1.1\r\n${host}Content-Length: 0\r\n${end}`,
    answers: 1,
    statuses: refused,
  },
  {
    name: 'another method by a header',
    bytes: `POST /api/v1/forms HTTP/1.1\r\n${host}X-HTTP-Method-Override: DELETE\r\nContent-Length: 0\r\n${end}`,
    answers: 1,
    statuses: [...refused, 401],
  },
  { name: 'HTTP/1.0', bytes: 'GET /api/v1/ HTTP/1.0\r\n\r\n', answers: 1 },
  { name: 'HTTP/0.9', bytes: 'GET /api/v1/\r\n\r\n', answers: 1 },
  { name: 'HTTP/2.0 in words', bytes: `GET /api/v1/ HTTP/2.0\r\n${host}${end}`, answers: 1 },
  { name: 'the greeting of HTTP/2', bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', answers: 1, statuses: refused },
  { name: 'TLS', bytes: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', answers: 1, statuses: refused },
  { name: 'no words at all', bytes: '\0\x01\x02\x03\r\n\r\n', answers: 1, statuses: refused },
  {
    name: 'an absolute address',
    bytes: `GET http://${evil}/api/v1/ HTTP/1.1\r\n${host}${end}`,
    answers: 1,
    without: `//${evil}`,
  },
  { name: 'two slashes', bytes: get(`//${evil}/%2e%2e`), answers: 1, without: `Location: //${evil}` },
  { name: 'a slash the other way', bytes: get('/api/v1\\..\\..\\etc'), answers: 1 },
  { name: 'NUL in the address', bytes: get('/api/v1/forms/%00'), answers: 1 },
  { name: 'NUL in a header', bytes: get('/api/v1/', 'X-A: a\0b\r\n'), answers: 1, statuses: [400] },
  {
    name: 'line ends of another kind',
    bytes: `GET /api/v1/ HTTP/1.1\n${host.replace('\r', '')}X-A: b\n\n`,
    answers: 1,
    statuses: [200, 400],
  },
  { name: 'a header in two lines', bytes: get('/api/v1/', 'X-A: a\r\n b\r\n'), answers: 1, statuses: [200, 400] },
  {
    name: 'length and chunks',
    bytes: `POST /api/v1/forms HTTP/1.1\r\n${host}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/v1/ HTTP/1.1\r\n${host}${end}`,
    answers: 1,
    statuses: [400],
  },
  {
    name: 'chunks in other words',
    bytes: `POST /api/v1/forms HTTP/1.1\r\n${host}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\nGET /api/v1/ HTTP/1.1\r\n${host}${end}`,
    answers: 1,
    statuses: [400],
  },
  {
    name: 'two lengths',
    bytes: `POST /api/v1/forms HTTP/1.1\r\n${host}Content-Length: 0\r\nContent-Length: 40\r\n\r\nGET /api/v1/ HTTP/1.1\r\n${host}${end}`,
    answers: 1,
    statuses: [400],
  },
  {
    name: 'a length below nothing',
    bytes: `POST /api/v1/forms HTTP/1.1\r\n${host}Content-Length: -1\r\n${end}`,
    answers: 1,
    statuses: [400],
  },
  {
    name: 'a length that is no number',
    bytes: `POST /api/v1/forms HTTP/1.1\r\n${host}Content-Length: 0x10\r\n${end}`,
    answers: 1,
    statuses: [400],
  },
  {
    name: 'a huge length',
    bytes: `POST /api/v1/forms HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 99999999999\r\n${end}{}`,
    answers: 1,
    statuses: [401, 413],
  },
  {
    name: 'a chunk that lies',
    bytes: `POST /api/v1/profiles HTTP/1.1\r\n${host}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nx`,
    answers: 1,
    statuses: [400, 413],
  },
  {
    name: 'a body that a GET has',
    bytes: `GET /api/v1/ HTTP/1.1\r\n${host}Content-Length: 5\r\n${end}hello`,
    answers: 1,
  },
  {
    name: 'an expectation',
    bytes: `POST /api/v1/profiles HTTP/1.1\r\n${host}Expect: 200-maybe\r\nContent-Length: 0\r\n${end}`,
    answers: 1,
  },
  {
    name: 'an upgrade',
    bytes: get('/api/v1/', 'Upgrade: websocket\r\n').replace('Connection: close', 'Connection: Upgrade'),
    answers: 1,
    statuses: [200, 400, 426],
  },
  {
    name: 'a range of everything',
    bytes: get('/favicon.svg', `Range: bytes=${Array.from({ length: 1000 }, (_, n) => `${n}-`).join(',')}\r\n`),
    answers: 1,
  },
  { name: 'an Accept of everything', bytes: get('/api/v1/', `Accept: ${'a/b;q=0.1,'.repeat(1000)}\r\n`), answers: 1 },
  {
    name: 'encodings of everything',
    bytes: get('/api/v1/openapi.json', `Accept-Encoding: ${'gzip;q=0.1,'.repeat(1000)}\r\n`),
    answers: 1,
  },
  { name: 'tags of everything', bytes: get('/api/v1/', `If-None-Match: ${'W/"a",'.repeat(2000)}\r\n`), answers: 1 },
  {
    name: 'a cookie of everything',
    bytes: get('/accounts/login', `Cookie: ${'a=b; '.repeat(2000)}__proto__=x\r\n`),
    answers: 1,
  },
  { name: 'a broken Basic', bytes: get('/api/v1/user', 'Authorization: Basic !!!\r\n'), answers: 1, statuses: [401] },
  {
    name: 'a Basic with NUL',
    bytes: get('/api/v1/user', `Authorization: Basic ${Buffer.from('a\0b:c\0d').toString('base64')}\r\n`),
    answers: 1,
    statuses: [401],
  },
  {
    name: 'a token with NUL',
    bytes: get('/api/v1/user', 'Authorization: Token %00\u00ff\r\n'),
    answers: 1,
    statuses: [401],
  },
  {
    name: 'a Bearer of objects',
    bytes: get('/api/v1/user', 'Authorization: Bearer __proto__\r\n'),
    answers: 1,
    statuses: [401],
  },
  { name: '101 requests at once', bytes: pipelined(101), answers: 101 },
  // A line on which more is sent ahead is cut.
  { name: '2,000 requests at once', bytes: pipelined(2000), answers: 0, most: 101 },
]

const mostSeconds = 8

const exchange = async (port: number, bytes: string): Promise<{ text: string; fault?: string }> => {
  const socket = connect(port, '127.0.0.1')
  const heard: Buffer[] = []
  let fault: string | undefined
  socket.on('data', (chunk) => heard.push(chunk))
  socket.on('error', (error) => {
    fault = String(error)
  })
  const timer = setTimeout(() => socket.destroy(), mostSeconds * 1000)
  const closed = once(socket, 'close')
  socket.write(Buffer.from(bytes, 'latin1'))
  await closed.catch(() => undefined)
  clearTimeout(timer)
  return { text: Buffer.concat(heard).toString('latin1'), ...(fault !== undefined && { fault }) }
}

const shell = (bytes: string): string =>
  `base64 -d <<< ${Buffer.from(bytes.slice(0, 4000), 'latin1').toString('base64')} | nc -q 5 127.0.0.1 "$PORT"`

const tryRaw = async (context: Context, raw: Raw): Promise<void> => {
  const { text, fault } = await exchange(context.server.port, raw.bytes)
  const statuses = [...text.matchAll(/HTTP\/1\.[01] (\d{3}) [A-Z]/g)].map((match) => Number(match[1]))
  const example = `${fault ?? ''} ${text.slice(0, 200)}`.trim()
  const find = (what: string) => context.find(what, raw.name, example || 'nothing', shell(raw.bytes))
  if (statuses.length < raw.answers) find('no answer where one is due')
  if (statuses.length > (raw.most ?? Math.max(1, raw.answers))) find('one request is answered twice')
  if (statuses.includes(500)) find('500')
  if (raw.statuses !== undefined && statuses[0] !== undefined && !raw.statuses.includes(statuses[0]))
    find('a request that lies is taken')
  if (raw.without !== undefined && text.includes(raw.without))
    find('an answer repeats what a stranger put into the head')
}

/** Sockets that say nothing, or half of something: others must not notice. */
const silent = async (context: Context, count: number): Promise<number> => {
  const sockets = Array.from({ length: count }, (_, number) => {
    const socket = connect(context.server.port, '127.0.0.1')
    socket.on('error', () => undefined)
    if (number % 3 === 1) socket.write('GET /api/v1/ HTTP/1.1\r\nHost: 12')
    if (number % 3 === 2) socket.write(`POST /api/v1/profiles HTTP/1.1\r\n${host}Content-Length: 100\r\n\r\n{`)
    return socket
  })
  await sleep(500)
  let slowest = 0
  for (let number = 0; number < 20; number += 1) {
    const request = { method: 'GET', path: '/api/v1/', timeoutMs: 5000 }
    const answer = await context.send(request)
    slowest = Math.max(slowest, answer.ms)
    if (answer.status !== 200)
      context.find('silent sockets keep others out', 'GET /api/v1/', `${answer.status}`, request)
  }
  for (const socket of sockets) socket.destroy()
  return slowest
}

export const protocol: Part = {
  name: 'protocol',
  description: 'heads that lie, two requests in one, odd methods and versions, 1,000 sockets that say nothing',
  weight: 4,
  run: async (context) => {
    await context.start()
    await register(context, 'ana')
    for (const raw of rawRequests) {
      context.say(raw.name)
      await tryRaw(context, raw)
      if (!context.server.isAlive) break
    }
    const sockets = context.seconds < 10 ? 200 : 1000
    context.say(`${sockets} silent sockets`)
    const slowest = await silent(context, sockets)
    return `${rawRequests.length} requests that lie; beside ${sockets} silent and half-open sockets others waited ${Math.round(slowest)} ms at most`
  },
}
