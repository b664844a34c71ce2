// Unpacking with what browsers bring along; Node has it, too.
import { limits } from '../limits.js'
import { brokenZip, type Unpacking, zipTooLarge } from './zip.js'

export const unpackedLater = async <Result>(reading: Unpacking<Result>): Promise<Result> => {
  let step = reading.next()
  while (step.done !== true) step = reading.next(await inflate(step.value))
  return step.value
}

const inflate = async (packed: Uint8Array): Promise<Uint8Array> => {
  const reader = new Blob([packed as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'))
    .getReader()
  const pieces: Uint8Array[] = []
  let length = 0
  for (;;) {
    // The one reason to fail here is that the bytes are no deflated ones.
    const { done, value } = await reader.read().catch(brokenZip)
    if (done) return joined(pieces, length)
    length += value.length
    if (length > limits.partBytes) {
      await reader.cancel()
      return zipTooLarge()
    }
    pieces.push(value)
  }
}

export const joined = (pieces: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(length)
  let position = 0
  for (const piece of pieces) {
    whole.set(piece, position)
    position += piece.length
  }
  return whole
}
