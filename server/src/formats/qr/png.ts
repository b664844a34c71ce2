// A code as PNG: one bit a pixel, no filter. A library for images is loaded for photographs; that takes 140 ms and 27 MB, which
// a grid of squares does not need.
import { crc32, deflateSync } from 'node:zlib'
import { type Code, quietSquares } from './code.js'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

const chunk = (name: string, content: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const piece = Buffer.alloc(named.length + 8)
  piece.writeUInt32BE(content.length, 0)
  named.copy(piece, 4)
  piece.writeUInt32BE(crc32(named), named.length + 4)
  return piece
}

const header = (side: number): Buffer => {
  const content = Buffer.alloc(13)
  content.writeUInt32BE(side, 0)
  content.writeUInt32BE(side, 4)
  // One bit of grey; deflate, no filter, not interlaced are zeros.
  content[8] = 1
  return chunk('IHDR', content)
}

/** One line of pixels for a row of squares: a byte for the filter, then a bit a pixel, 1 for light. */
const lineOf = ({ size, isDark }: Code, row: number, pixels: number): Buffer => {
  const side = (size + 2 * quietSquares) * pixels
  const line = Buffer.alloc(1 + Math.ceil(side / 8), 0xff)
  line[0] = 0
  for (let x = quietSquares * pixels; x < (quietSquares + size) * pixels; x += 1) {
    const column = Math.floor(x / pixels) - quietSquares
    const place = 1 + (x >> 3)
    if (isDark(row, column)) line[place] = (line[place] ?? 0) & ~(0x80 >> (x & 7))
  }
  return line
}

/** `pixels` are those of one square's side. */
export const pngOf = (code: Code, pixels: number): Buffer => {
  const side = (code.size + 2 * quietSquares) * pixels
  const light = Buffer.alloc(1 + Math.ceil(side / 8), 0xff)
  light[0] = 0
  const margin = Array.from({ length: quietSquares * pixels }, () => light)
  const rows = Array.from({ length: code.size }, (_, row) => lineOf(code, row, pixels)).flatMap((line) =>
    Array.from({ length: pixels }, () => line),
  )
  const image = deflateSync(Buffer.concat([...margin, ...rows, ...margin]), { level: 9 })
  return Buffer.concat([signature, header(side), chunk('IDAT', image), chunk('IEND', Buffer.alloc(0))])
}
