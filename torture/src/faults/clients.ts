// Clients that are slow, that go away, and too many of them.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { bodyFor, isPolite, isYes, send } from '../client.js'
import { type Context, type Fault, pause, sendOne } from '../fault.js'
import { newSubmission, type Submission } from '../submissions.js'

interface Sending {
  readonly submission: Submission
  readonly socket: Socket
  readonly request: Buffer
  answer: string
}

const open = ({ target, chance }: Context): Sending => {
  const submission = newSubmission(chance)
  const { path, type, bytes } = bodyFor(target, submission)
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nAuthorization: Token ${target.token}\r\nContent-Type: ${type}\r\nContent-Length: ${bytes.length}\r\n\r\n`
  const socket = connect(Number(new URL(target.address).port), '127.0.0.1')
  const sending = { submission, socket, request: Buffer.concat([Buffer.from(head), bytes]), answer: '' }
  socket.on('error', () => undefined)
  socket.on('data', (chunk) => {
    sending.answer += chunk
  })
  return sending
}

const slowSeconds = 15
const headBytes = 300

/** Whether it was taken. */
const judge = ({ ledger, find }: Context, { submission, answer }: Sending): boolean => {
  const status = Number(answer.slice(9, 12))
  ledger.count(status)
  if (status === 201) ledger.acknowledge(submission, undefined)
  else {
    ledger.doubt(submission, undefined)
    if (status !== 503) find(`${status} for a slow client: ${answer.slice(0, 100)}`)
  }
  return status === 201
}

export const slowClients: Fault = {
  name: 'slow',
  description: '500 clients that send a byte a second; in the end the rest at once',
  weight: 25,
  run: async (context) => {
    const { place, ledger, find, scale, say } = context
    await place.start('own')
    const clients = Array.from({ length: 500 }, () => open(context))
    const seconds = Math.max(5, Math.round(slowSeconds * scale))
    for (const { socket, request } of clients) socket.write(request.subarray(0, headBytes))
    let [least, slowest] = [Number.POSITIVE_INFINITY, 0]
    for (let second = 0; second < seconds; second++) {
      for (const { socket, request } of clients) {
        socket.write(request.subarray(headBytes + second, headBytes + second + 1))
      }
      const [before, begun] = [ledger.acknowledgements, performance.now()]
      const other = await sendOne(context)
      slowest = Math.max(slowest, (performance.now() - begun) / 1000)
      if (!isYes(other) && second > 3) find(`${other.status} for others beside slow clients`)
      await pause(Math.max(0, 1000 - (performance.now() - begun)))
      if (second > 3) least = Math.min(least, ledger.acknowledgements - before)
      say(`second ${second + 1} of ${seconds}`)
    }
    await Promise.all(
      clients.map(async ({ socket, request }) => {
        const closed = socket.closed ? undefined : once(socket, 'close')
        socket.write(request.subarray(headBytes + seconds))
        await closed
      }),
    )
    const taken = clients.filter((one) => judge(context, one)).length
    return `500 clients for ${seconds} s: ${taken} taken, ${500 - taken} told to come back; others meanwhile got at least ${least} acknowledgements a second, the slowest after ${slowest.toFixed(2)} s`
  },
}

export const hangUps: Fault = {
  name: 'hang-up',
  description: 'clients that hang up in the middle of what they send, or before they hear the answer',
  weight: 10,
  run: async (context) => {
    const { place, ledger, chance, scale } = context
    await place.start('own')
    const count = Math.round(400 * scale)
    for (let number = 0; number < count; number++) {
      const { submission, socket, request } = open(context)
      const isWhole = chance.isOneIn(3)
      socket.write(isWhole ? request : request.subarray(0, chance.between(1, request.length - 1)))
      await pause(chance.between(0, 10))
      socket.destroy()
      ledger.doubt(submission, undefined)
    }
    return `${count} hung up; each was sent again later under the same instance id`
  },
}

export const overload: Fault = {
  name: 'overload',
  description: 'several times as many senders and readers at once as are worked on at once',
  weight: 15,
  run: async (context) => {
    const { place, target, ledger, chance, find, scale } = context
    await place.start('narrow')
    const end = performance.now() + Math.max(3, 8 * scale) * 1000
    const counts = { taken: 0, shed: 0, read: 0, notRead: 0 }
    const sender = async () => {
      while (performance.now() < end) {
        const submission = newSubmission(chance)
        const answer = await send(target, submission)
        ledger.count(answer.status)
        if (!isPolite(answer) || answer.status === 0) find(`${answer.status} under overload`)
        if (isYes(answer)) {
          counts.taken += 1
          ledger.acknowledge(submission, undefined)
        } else {
          counts.shed += 1
          ledger.doubt(submission, undefined)
          await pause(100)
        }
      }
    }
    const reader = async () => {
      while (performance.now() < end) {
        const headers = { authorization: `Token ${target.token}` }
        const answer = await fetch(`${target.address}/api/v1/data/${target.formId}?page_size=200&page=1`, { headers })
        await answer.arrayBuffer()
        const isShed = answer.status === 503 && answer.headers.get('retry-after') !== null
        if (answer.status === 200) counts.read += 1
        else if (isShed) counts.notRead += 1
        else find(`${answer.status} for a reader under overload`)
        if (isShed) await pause(100)
      }
    }
    const probe = async () => {
      while (performance.now() < end) {
        const status = await fetch(`${target.address}/healthz`).then((answer) => answer.status)
        if (status !== 200) find(`/healthz answered ${status} under overload`)
        await pause(200)
      }
    }
    await Promise.all([probe(), ...Array.from({ length: 300 }, sender), ...Array.from({ length: 150 }, reader)])
    if (counts.taken === 0) find('readers left no room for receiving')
    if (counts.shed + counts.notRead === 0) find('450 at once were not beyond capacity: nothing was shed')
    return `300 senders and 150 readers: ${counts.taken} submissions taken, ${counts.shed} told to come back; ${counts.read} lists answered, ${counts.notRead} told to come back`
  },
}
