// Answers to requests whose body has not arrived. A phone posts whatever a probe has told it, so a refusal must reach it while it
// still sends: a connection that is closed with bytes unread is reset, and the answer is lost with it.
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { budgets } from '../../budgets.js'
import type { App } from './room.js'

const { droppedBytes, droppedMs } = budgets.bodies

/** Until nothing more comes, or enough has come. */
const dropped = (request: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    let bytes = 0
    const end = () => {
      clearTimeout(timer)
      request.off('data', count).off('end', end).off('close', end).off('error', end)
      resolve()
    }
    const count = (piece: Buffer) => {
      bytes += piece.length
      if (bytes > droppedBytes) end()
    }
    const timer = setTimeout(end, droppedMs)
    request.on('data', count).once('end', end).once('close', end).once('error', end)
  })

async function* answerAndDrop(request: IncomingMessage, answer: Buffer): AsyncGenerator<Buffer> {
  yield answer
  await dropped(request)
}

/** A refusal goes out whole before the body is there; then what still comes is read and dropped for a while, and the connection is
 * closed. */
export const answerEarly = (scope: App): void => {
  scope.addHook('onSend', async ({ raw, inFlight }, reply, payload) => {
    const hasBody = raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > 0
    const isHere = raw.complete || raw.readableEnded
    if (reply.statusCode < 400 || isHere || !hasBody || typeof payload !== 'string') return payload
    reply.header('connection', 'close')
    // Who asks first sends nothing after a refusal.
    if (raw.headers.expect !== undefined) return payload
    // Nobody works on it any more: who is refused and still sends takes no place of those who are not.
    inFlight?.share.leave(inFlight)
    const answer = Buffer.from(payload)
    reply.header('content-length', answer.length)
    return Readable.from(answerAndDrop(raw, answer))
  })
}

/** Whoever asks before they send their body is told to when it is about to be read, and not when they are refused before. */
export const continueLate = (app: App): void => {
  const waiting = new WeakSet<IncomingMessage>()
  app.server.on('checkContinue', (request, response) => {
    waiting.add(request)
    app.server.emit('request', request, response)
  })
  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (waiting.delete(request.raw)) reply.raw.writeContinue()
    done(null)
  })
}
