// The parts of a multipart body that is in memory whole, as slices of it. A streaming parser looks at every chunk of
// every part; for the small bodies that most submissions are, slicing takes in half again as many a second.

export interface Slice {
  readonly headers: string
  readonly bytes: Buffer
}

const lineEnd = Buffer.from('\r\n')
const headerEnd = Buffer.from('\r\n\r\n')
const dash = 0x2d

interface Boundary {
  readonly mark: Buffer
  /** As it stands between parts: its line begins with the end of the one before. */
  readonly between: Buffer
}

/** Undefined when the body is malformed or cut short. */
export const splitParts = (body: Buffer, boundary: string): Slice[] | undefined => {
  const marks = { mark: Buffer.from(`--${boundary}`), between: Buffer.from(`\r\n--${boundary}`) }
  let at = afterPreamble(body, marks)
  const slices: Slice[] = []
  while (at !== undefined) {
    if (body[at] === dash && body[at + 1] === dash) return slices
    const found = partAt(body, at, marks)
    if (found !== undefined) slices.push(found.slice)
    at = found?.next
  }
  return undefined
}

/** What stands before the first boundary is a preamble, and ends with its line. */
const afterPreamble = (body: Buffer, { mark }: Boundary): number | undefined => {
  const first = body.indexOf(mark)
  const isLineStart = first === 0 || (first > 1 && body.subarray(first - 2, first).equals(lineEnd))
  return isLineStart ? first + mark.length : undefined
}

/** The part whose boundary ends at `at`, and where the next boundary ends. */
const partAt = (body: Buffer, at: number, { between }: Boundary): { slice: Slice; next: number } | undefined => {
  // Blanks may stand between a boundary and the end of its line.
  const lineAt = body.indexOf(lineEnd, at)
  if (lineAt === -1 || body.subarray(at, lineAt).some((byte) => byte !== 0x20 && byte !== 0x09)) return undefined
  // A part without headers begins with an empty line.
  const headersAt = lineAt + 2
  const isBare = body.subarray(headersAt, headersAt + 2).equals(lineEnd)
  const headersEnd = isBare ? lineAt : body.indexOf(headerEnd, lineAt)
  const start = isBare ? headersAt + 2 : headersEnd + 4
  const end = headersEnd === -1 ? -1 : body.indexOf(between, start - 2)
  if (end === -1) return undefined
  const headers = isBare ? '' : body.toString('utf8', headersAt, headersEnd)
  return { slice: { headers, bytes: body.subarray(start, Math.max(start, end)) }, next: end + between.length }
}
