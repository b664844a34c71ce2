// A text that is made piece by piece: whole where it is short, so that it has a length and a tag; otherwise as it is made.
import { budgets } from '../../../budgets.js'
import { takingTurns } from '../../../formats/turns/index.js'

async function* goingOn(start: string, pieces: AsyncIterator<string>): AsyncGenerator<string> {
  yield start
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) yield next.value
}

export const wholeOrPieces = async (source: AsyncIterable<string>): Promise<string | AsyncIterable<string>> => {
  const pause = takingTurns()
  const pieces = source[Symbol.asyncIterator]()
  let whole = ''
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
    whole += next.value
    if (whole.length > budgets.answers.textBytes) return goingOn(whole, pieces)
    await pause()
  }
  return whole
}
