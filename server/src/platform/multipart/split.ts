// The parts of a multipart body that is in memory whole, as slices of it. A streaming parser looks at every chunk of
// every part; for the small bodies that most submissions are, slicing takes in half again as many a second.

export interface Slice {
  readonly headers: string
  readonly bytes: Buffer
}

const lineEnd = Buffer.from('\r\n')
const headerEnd = Buffer.from('\r\n\r\n')
const dash = 0x2d

/** Undefined when the body is malformed or cut short. */
export const splitParts = (body: Buffer, boundary: string): Slice[] | undefined => {
  const mark = Buffer.from(`--${boundary}`)
  const between = Buffer.from(`\r\n--${boundary}`)
  const first = body.indexOf(mark)
  // What stands before the first boundary is a preamble, and ends with its line.
  if (first === -1 || (first > 0 && !body.subarray(first - 2, first).equals(lineEnd))) return undefined
  const slices: Slice[] = []
  let at = first + mark.length
  for (;;) {
    if (body[at] === dash && body[at + 1] === dash) return slices
    // Blanks may stand between a boundary and the end of its line.
    const lineAt = body.indexOf(lineEnd, at)
    if (lineAt === -1 || body.subarray(at, lineAt).some((byte) => byte !== 0x20 && byte !== 0x09)) return undefined
    // A part without headers begins with an empty line.
    const headersAt = lineAt + 2
    const isBare = body.subarray(headersAt, headersAt + 2).equals(lineEnd)
    const headersEnd = isBare ? lineAt : body.indexOf(headerEnd, lineAt)
    if (headersEnd === -1) return undefined
    const start = isBare ? headersAt + 2 : headersEnd + 4
    const end = body.indexOf(between, start - 2)
    if (end === -1) return undefined
    slices.push({
      headers: isBare ? '' : body.toString('utf8', headersAt, headersEnd),
      bytes: body.subarray(start, Math.max(start, end)),
    })
    at = end + between.length
  }
}
