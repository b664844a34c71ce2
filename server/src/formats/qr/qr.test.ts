import { createHash } from 'node:crypto'
import jsQR from 'jsqr'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { codeOf, longestText, pngOf, svgOf, TextTooLong } from './index.js'

/** What a scanner makes of a picture. */
const scan = async (picture: Buffer, side?: number): Promise<string | undefined> => {
  const image = side === undefined ? sharp(picture) : sharp(picture).resize(side, side, { kernel: 'nearest' })
  const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return jsQR.default(new Uint8ClampedArray(data), info.width, info.height)?.data
}

/** Texts of base64, each another, from short to the longest that fits. */
const texts = [1, 20, 244, 500, 1200, longestText].map((length) =>
  Array.from({ length: Math.ceil(length / 88) }, (_, turn) =>
    createHash('sha512').update(`${length} ${turn}`).digest('base64'),
  )
    .join('')
    .slice(0, length),
)

describe('a code', () => {
  it.each(texts)('as PNG is read by a scanner: %#', async (text) => {
    expect(await scan(pngOf(codeOf(text), 3))).toBe(text)
  })

  it.each(texts)('as SVG is read by a scanner: %#', async (text) => {
    const code = codeOf(text)
    expect(await scan(Buffer.from(svgOf(code)), (code.size + 8) * 4)).toBe(text)
  })

  it('has a quiet margin of four squares, as readers need', async () => {
    const code = codeOf('a')
    const { data, info } = await sharp(pngOf(code, 2)).greyscale().raw().toBuffer({ resolveWithObject: true })
    expect(info.width).toBe((code.size + 8) * 2)
    const isLight = (x: number, y: number) => data[y * info.width + x] === 255
    for (let place = 0; place < info.width; place += 1) {
      for (let depth = 0; depth < 8; depth += 1) expect(isLight(place, depth) && isLight(depth, place)).toBe(true)
    }
    expect(isLight(8, 8)).toBe(false)
  })

  it('refuses a text that fits into none', () => {
    expect(() => codeOf('a'.repeat(longestText + 1))).toThrow(TextTooLong)
  })
})
