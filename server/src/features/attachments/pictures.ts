// Small pictures of images. What is fed in comes from strangers: every image is bounded in bytes, pixels and seconds, and
// only so many are worked on at once.
import type { Readable } from 'node:stream'
import type { Metadata, Sharp, SharpOptions } from 'sharp'

/** The image is broken, too large, or of a kind that no picture is made of; trying again gives the same. */
export class ImageRefused extends Error {
  override readonly name = 'ImageRefused'
}

/** Pixels of the longest side. */
export const longestSides = { small: 240, medium: 640, large: 1280 } as const

export type PictureSize = keyof typeof longestSides

export const isPictureSize = (text: string): text is PictureSize => Object.hasOwn(longestSides, text)

interface Kind {
  /** As the library calls what it reads. */
  readonly format: string
  readonly output: 'jpeg' | 'png' | 'webp'
}

/** What pictures are made of, and what they become: nothing loses its transparency. */
const kinds: Readonly<Record<string, Kind>> = {
  'image/jpeg': { format: 'jpeg', output: 'jpeg' },
  'image/png': { format: 'png', output: 'png' },
  'image/apng': { format: 'png', output: 'png' },
  'image/gif': { format: 'gif', output: 'png' },
  'image/webp': { format: 'webp', output: 'webp' },
  'image/avif': { format: 'heif', output: 'webp' },
  'image/tiff': { format: 'tiff', output: 'jpeg' },
}

/** The type of an image's pictures; undefined where none are made. */
export const pictureType = (mimetype: string): string | undefined => {
  const kind = Object.hasOwn(kinds, mimetype) ? kinds[mimetype] : undefined
  return kind === undefined ? undefined : `image/${kind.output}`
}

const largestBytes = 50 * 1024 * 1024
const longestSeconds = 20
/** A plain JPEG is shrunk while it is decoded, a few lines at a time: 200 megapixels, as the largest cameras of phones
 * have, took 13 MB. Everything else may have to be in memory as a whole: 50 megapixels took 255 MB as a GIF, 243 MB as an
 * interlaced PNG, 149 MB as a progressive JPEG. */
const mostPlainPixels = 220_000_000
const mostPixels = 50_000_000

type Library = (input: Buffer, options: SharpOptions) => Sharp

let loading: Promise<Library> | undefined

/** When the first image comes: loading takes 140 ms and 27 MB, which a start without images should not pay. */
const library = (): Promise<Library> => {
  loading ??= import('sharp').then(({ default: sharp }) => {
    // One thread an image: how many work at once is decided by who calls.
    sharp.concurrency(1)
    sharp.cache(false)
    return sharp
  })
  return loading
}

export const readImage = async (stream: Readable, bytes: number): Promise<Buffer> => {
  if (bytes > largestBytes) {
    stream.destroy()
    throw new ImageRefused(`${bytes} bytes are too many`)
  }
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const refuse = (error: unknown): never => {
  throw new ImageRefused('the image cannot be read', { cause: error })
}

const checkSize = ({ format, width, height, isProgressive }: Metadata, kind: Kind): void => {
  if (format !== kind.format) throw new ImageRefused(`${format} is not what its type says`)
  const isPlain = format === 'jpeg' && isProgressive !== true
  if (width * height > (isPlain ? mostPlainPixels : mostPixels)) {
    throw new ImageRefused(`${width} x ${height} pixels are too many`)
  }
}

/** Of a drawing of our own: one that others sent could name files. */
export const drawPicture = async (svg: string): Promise<Buffer> =>
  (await library())(Buffer.from(svg), {}).jpeg({ quality: 82 }).toBuffer()

/** Never larger than the image, turned upright, and without what the camera wrote into it, such as the place. */
export const makePicture = async (image: Buffer, mimetype: string, size: PictureSize): Promise<Buffer> => {
  const kind = Object.hasOwn(kinds, mimetype) ? kinds[mimetype] : undefined
  if (kind === undefined) throw new ImageRefused(`no pictures are made of ${mimetype}`)
  const open = await library()
  const options: SharpOptions = { limitInputPixels: mostPlainPixels, failOn: 'error', sequentialRead: true }
  checkSize(await open(image, options).metadata().catch(refuse), kind)
  const side = longestSides[size]
  const picture = open(image, options)
    .timeout({ seconds: longestSeconds })
    .autoOrient()
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
  const shaped =
    kind.output === 'jpeg'
      ? picture.flatten({ background: '#fff' }).jpeg({ quality: 80 })
      : kind.output === 'png'
        ? picture.png({ compressionLevel: 9 })
        : picture.webp({ quality: 80 })
  return shaped.toBuffer().catch(refuse)
}
