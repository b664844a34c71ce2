/** Of stored records that are held at once; one may have as much as a device may send. */
const mostHeldBytes = 4 * 1024 * 1024

/** As many as may be held at once, and at least one. */
export function* inPieces<T>(all: readonly T[], bytesOf: (one: T) => number): Generator<T[]> {
  let piece: T[] = []
  let bytes = 0
  for (const one of all) {
    if (piece.length > 0 && bytes + bytesOf(one) > mostHeldBytes) {
      yield piece
      piece = []
      bytes = 0
    }
    piece.push(one)
    bytes += bytesOf(one)
  }
  if (piece.length > 0) yield piece
}
