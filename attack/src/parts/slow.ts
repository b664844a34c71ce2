// Readers that ask for much and never read, senders of a byte a second: whoever means no harm goes on beside them.
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, Part } from '../part.js'
import { type Caller, jsonOf, jsonRequest, type Request, textOf } from '../request.js'
import { make, must, register } from '../world/account.js'
import { exported, publish, type TenantForm } from '../world/tenant.js'

const formText = `survey
,type,name,label
,text,name,Name
,text,story,Story
,geopoint,home,Home
settings
,form_id,form_title,version
,slow,Slow,1`

/** Others wait no longer, for anything small. */
const mostSecondsToWait = 5
/** Lists that take a connection for long may be told to come back; by then they have it. */
const mostSecondsToList = 90
const story = 'x'.repeat(3000)

const fill = async (context: Context, owner: Caller, form: TenantForm, count: number): Promise<void> => {
  let next = 0
  const run = async () => {
    while (next < count) {
      const number = next++
      const submission = { name: `n${number}`, story, home: '-1.26 36.79 0 0' }
      await must(context, jsonRequest('POST', '/api/v1/submissions', owner, { id: form.idString, submission }))
      if (number % 100 === 0) context.say(`${number} of ${count} records`)
    }
  }
  await Promise.all(Array.from({ length: 24 }, run))
}

const asking = ({ address }: Context['server'], path: string, caller: Caller, accept = '*/*'): Socket => {
  const socket = connect({ port: Number(new URL(address).port), host: '127.0.0.1' })
  socket.on('error', () => undefined)
  // Never read: what the system takes in by itself is little.
  socket.pause()
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Token ${caller.token}\r\nAccept: ${accept}\r\nAccept-Encoding: identity\r\n\r\n`,
  )
  return socket
}

interface Innocent {
  slowest: number
  asked: number
}

const innocent = async (
  context: Context,
  caller: Caller,
  form: TenantForm,
  seconds: number,
  beside: string,
): Promise<Innocent> => {
  const seen: Innocent = { slowest: 0, asked: 0 }
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    const requests: Request[] = [
      { method: 'GET', path: `/api/v1/data/${form.id}?page=1&page_size=5`, caller },
      { method: 'GET', path: `/api/v1/forms/${form.id}`, caller },
      { method: 'GET', path: '/api/v1/projects', caller },
      { method: 'GET', path: '/readyz' },
      jsonRequest('POST', '/api/v1/submissions', caller, { id: form.idString, submission: { name: 'innocent' } }),
    ]
    for (const request of requests) {
      const answer = await context.send({ ...request, timeoutMs: 20_000 })
      seen.asked += 1
      seen.slowest = Math.max(seen.slowest, answer.ms)
      const place = `${request.method} ${request.path.replace(/\?.*/, '').replace(/\d+/g, '#')} beside ${beside}`
      if (answer.status >= 400)
        context.find(
          'others are refused beside slow ones',
          place,
          `${answer.status} ${textOf(answer).slice(0, 120)}`,
          shown(request, beside),
        )
      else if (answer.ms > mostSecondsToWait * 1000)
        context.find(
          'others wait beside slow ones',
          place,
          `${(answer.ms / 1000).toFixed(1)} s`,
          shown(request, beside),
        )
    }
    await sleep(100)
  }
  return seen
}

const shown = (request: Request, beside: string): Request => ({
  ...request,
  before: [
    `# ${beside}; for example: for n in $(seq 24); do (exec 3<>/dev/tcp/127.0.0.1/$PORT; printf 'GET /api/v1/data/1.csv HTTP/1.1\\r\\nHost: x\\r\\nAuthorization: Token TOKEN\\r\\n\\r\\n' >&3; sleep 60) & done`,
  ],
})

/** A job that others ask for must be done, beside the slow ones and after them. */
const jobIsDone = async (
  context: Context,
  owner: Caller,
  form: TenantForm,
  format: string,
  beside: string,
): Promise<void> => {
  const begun = performance.now()
  const url = await exported(context, owner, form.id, format)
  if (url === undefined)
    context.find(
      'jobs do not run',
      `an export ${beside}`,
      `not there after ${((performance.now() - begun) / 1000).toFixed(0)} s`,
      shown({ method: 'GET', path: `/api/v1/forms/${form.id}/export_async?format=${format}`, caller: owner }, beside),
    )
}

/** A list of everything, in the end. */
const listIsRead = async (context: Context, owner: Caller, form: TenantForm, beside: string): Promise<void> => {
  const end = performance.now() + mostSecondsToList * 1000
  const request: Request = { method: 'GET', path: `/api/v1/data/${form.id}.csv`, caller: owner, timeoutMs: 60_000 }
  for (;;) {
    const answer = await context.send(request)
    if (answer.status === 200) return
    if (performance.now() > end)
      return context.find('lists are kept from others', `a list ${beside}`, `${answer.status}`, shown(request, beside))
    await sleep(2000)
  }
}

const beginReading = (context: Context, owner: Caller, form: TenantForm, count: number): Socket[] => {
  const data = `/api/v1/data/${form.id}`
  const asked: readonly [path: string, accept?: string][] = [
    [`${data}.csv`],
    [`${data}.json?page_size=10000`],
    [`${data}.xlsx`],
    [`${data}.geojson`],
    [`${data}.xml`],
    [`${data}.kml`],
    [`${data}.csvzip`],
    [data, 'application/vnd.org.flowinterop.results+json'],
  ]
  return Array.from({ length: count }, (_, number) => {
    const [path, accept] = asked[number % asked.length] ?? [data]
    return asking(context.server, path, owner, accept)
  })
}

/** As many begin and end at once: each takes a third of a millisecond then, and this is about what they cost in between. */
const atOnce = 50

/** Bodies that arrive by a byte a second. */
const beginSending = async (
  context: Context,
  owner: Caller,
  count: number,
): Promise<{ sockets: Socket[]; stop(): void }> => {
  const sockets: Socket[] = []
  for (let number = 0; number < count; number += 1) {
    if (number % atOnce === 0) await sleep(50)
    const socket = connect(context.server.port, '127.0.0.1')
    socket.on('error', () => undefined)
    const path = ['/api/v1/submissions', '/ana/submission', '/api/v1/forms', '/api/v1/profiles'][number % 4]
    const type = number % 4 === 1 ? 'multipart/form-data; boundary=b' : 'application/json'
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Token ${owner.token}\r\nContent-Type: ${type}\r\nContent-Length: 100000\r\n\r\n`,
    )
    sockets.push(socket)
  }
  const timer = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write(' ')
  }, 1000)
  return { sockets, stop: () => clearInterval(timer) }
}

export const slow: Part = {
  name: 'slow',
  description:
    '10, then 24, then 60 readers that never read, senders of a byte a second; others read, submit and export beside them',
  weight: 18,
  run: async (context) => {
    await context.start()
    const isShort = context.seconds < 30
    const owner = await register(context, 'ana')
    const form = await publish(context, owner, undefined, 'slow', formText)
    const records = isShort ? 1500 : 8000
    await fill(context, owner, form, records)
    await context.sweepStalls()
    context.ready()
    const told: string[] = []
    const phase = Math.max(3, Math.min(25, context.seconds / 10))
    for (const count of isShort ? [24] : [10, 24, 60]) {
      const beside = `${count} readers that never read`
      context.say(beside)
      const readers = beginReading(context, owner, form, count)
      await sleep(1000)
      const [{ slowest, asked }] = await Promise.all([
        innocent(context, owner, form, phase, beside),
        jobIsDone(context, owner, form, 'csv', `beside ${beside}`),
      ])
      if (!isShort) await listIsRead(context, owner, form, `beside ${beside}`)
      for (const reader of readers) reader.destroy()
      await context.sweepStalls()
      told.push(`${count} readers: ${asked} requests of others, the slowest after ${(slowest / 1000).toFixed(2)} s`)
      // What is kept for five minutes is not made again: another export each time.
      await make(context, owner, '/submissions', { id: form.idString, submission: { name: `after ${count}` } })
      await jobIsDone(context, owner, form, 'xlsx', `after ${beside}`)
      if (!context.hasTime(0.8)) break
    }
    const senders = isShort ? 100 : 400
    const beside = `${senders} senders of a byte a second`
    context.say(beside)
    const { sockets, stop } = await beginSending(context, owner, senders)
    // For its first two seconds a request counts as one that is worked on.
    await sleep(3000)
    const { slowest, asked } = await innocent(context, owner, form, phase, beside)
    stop()
    for (const [number, socket] of sockets.entries()) {
      if (number % atOnce === 0) await sleep(50)
      socket.destroy()
    }
    told.push(`${senders} senders: ${asked} requests of others, the slowest after ${(slowest / 1000).toFixed(2)} s`)
    const total = jsonOf<{ num_of_submissions: number }>(
      await must(context, { method: 'GET', path: `/api/v1/forms/${form.id}`, caller: owner }),
    )
    return `a form of ${total?.num_of_submissions.toLocaleString('en')} records; ${told.join('; ')}`
  },
}
