// What is done with the bytes of a file, wherever it is read.

/** The text of some bytes in UTF-8. Handed in by whoever reads: Node has a way of its own that takes half as long. */
export type Decode = (bytes: Uint8Array, start?: number, end?: number) => string

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** As browsers do it. */
export const decodeUtf8: Decode = (bytes, start = 0, end = bytes.length) => decoder.decode(bytes.subarray(start, end))

export const startsWith = (bytes: Uint8Array, signature: readonly number[]): boolean => hasBytes(bytes, 0, signature)

export const hasBytes = (bytes: Uint8Array, position: number, wanted: ArrayLike<number>): boolean => {
  for (let index = 0; index < wanted.length; index += 1) if (bytes[position + index] !== wanted[index]) return false
  return true
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Where these bytes stand next; -1 for nowhere. */
export const indexOfBytes = (bytes: Uint8Array, wanted: Uint8Array, from = 0): number => {
  const first = wanted[0] ?? 0
  let position = bytes.indexOf(first, from)
  while (position !== -1 && !hasBytes(bytes, position, wanted)) position = bytes.indexOf(first, position + 1)
  return position
}
