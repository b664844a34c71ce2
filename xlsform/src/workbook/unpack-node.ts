// Unpacking as Node does it best.
import { inflateRawSync } from 'node:zlib'
import { limits } from '../limits.js'
import type { Decode } from './bytes.js'
import { brokenZip, type Unpacking, zipTooLarge } from './zip.js'

/** A view, no copy. */
export const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

export const decodeInNode: Decode = (bytes, start, end) => bufferOf(bytes).toString('utf8', start, end)

/** Runs to the end, now. */
export const unpackedNow = <Result>(reading: Unpacking<Result>): Result => {
  let step = reading.next()
  while (step.done !== true) step = reading.next(inflate(step.value))
  return step.value
}

const inflate = (packed: Uint8Array): Buffer => {
  try {
    return inflateRawSync(packed, { maxOutputLength: limits.partBytes })
  } catch (error) {
    if (error instanceof RangeError) return zipTooLarge()
    return brokenZip()
  }
}
