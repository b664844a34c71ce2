// JSON that is made piece by piece: others have a turn in between, and what is long is never held as a whole.
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { budgets } from '../../budgets.js'

/** Pieces of a hundred bytes each are sent and counted together. */
const turnCharacters = 64 * 1024

/** As many pieces as one turn makes. The text is empty at the end. */
const nextTurn = (pieces: Iterator<string>): string => {
  let text = ''
  for (let next = pieces.next(); next.done !== true; next = pieces.next()) {
    text += next.value
    if (text.length >= turnCharacters) break
  }
  return text
}

async function* inTurns(first: string, pieces: Iterator<string>): AsyncGenerator<string> {
  yield first
  for (let text = nextTurn(pieces); text !== ''; text = nextTurn(pieces)) {
    yield text
    await setImmediate()
  }
}

/** In one text, with its tag, where it is short enough for it. */
export const sendJsonPieces = async (reply: FastifyReply, pieces: Iterator<string>): Promise<FastifyReply> => {
  reply.type('application/json; charset=utf-8')
  let whole = ''
  for (let text = nextTurn(pieces); text !== ''; text = nextTurn(pieces)) {
    whole += text
    if (whole.length > budgets.answers.textBytes) {
      return reply.send(Readable.from(inTurns(whole, pieces), { objectMode: false }))
    }
    await setImmediate()
  }
  return reply.send(Buffer.from(whole))
}
