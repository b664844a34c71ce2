// A table as bytes, cut into segments at rows that say so themselves: what has not changed since gives the same segments again,
// wherever rows were added, changed or removed before it. So an unchanged segment is known by its hash, and nobody has to be
// trusted to have noted what changed.

export interface Segment {
  readonly bytes: Buffer
  readonly rows: number
}

/** A segment ends at the first row past `least` that is marked, or at `most`. */
const leastBytes = 1024 * 1024
const mostBytes = 8 * 1024 * 1024
/** One row of so many is marked: of 2 KB each, segments are then 1.5 MB. */
const rowsForMark = 256
/** A row is marked by how it begins, which is its key: a change of the rest of it moves no boundary. */
const headBytes = 32

const newline = 10

/** FNV-1a over the head of a row. */
const isMarked = (bytes: Buffer, start: number, end: number): boolean => {
  let hash = 0x811c9dc5
  for (let at = start; at < Math.min(end, start + headBytes); at++) {
    hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193)
  }
  return (hash >>> 0) % rowsForMark === 0
}

/** `rows` in COPY's text format, or any other with a line for each row. */
export async function* segmentsOf(
  rows: AsyncIterable<Buffer>,
  { least = leastBytes, most = mostBytes }: { least?: number; most?: number } = {},
): AsyncGenerator<Segment> {
  let parts: Buffer[] = []
  let size = 0
  let count = 0
  let begun: Buffer[] = []
  const take = (): Segment => {
    const segment = { bytes: Buffer.concat(parts), rows: count }
    parts = []
    size = 0
    count = 0
    return segment
  }
  for await (const piece of rows) {
    // A row of megabytes comes in many pieces: they are put together once.
    if (!piece.includes(newline)) {
      begun.push(piece)
      continue
    }
    const chunk = begun.length === 0 ? piece : Buffer.concat([...begun, piece])
    begun = []
    let from = 0
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const length = end + 1 - start
      size += length
      count += 1
      const isEnd = size >= most || (size >= least && isMarked(chunk, start, end))
      start = end + 1
      if (!isEnd) continue
      parts.push(chunk.subarray(from, start))
      from = start
      yield take()
    }
    if (start > from) parts.push(chunk.subarray(from, start))
    if (start < chunk.length) begun.push(chunk.subarray(start))
  }
  if (begun.length > 0) throw new Error('The rows end in the middle of one')
  if (size > 0) yield take()
}
