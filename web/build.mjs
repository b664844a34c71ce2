// Builds the application: bundled by Vite, packed with brotli and gzip beside every file, weighed.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build as bundle } from 'vite'
import { faultsIn, weightsOf } from './weights.mjs'

const folder = fileURLToPath(new URL('.', import.meta.url))
const [toBrotli, toGzip] = [promisify(brotliCompress), promisify(gzip)]

/** What gains nothing from packing is packed already. */
const packed = /\.(js|mjs|css|html|svg|json|map|webmanifest)$/

const packFile = async (file) => {
  const bytes = readFileSync(file)
  const size = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  const [brotli, gzipped] = await Promise.all([toBrotli(bytes, { params: size }), toGzip(bytes, { level: 9 })])
  writeFileSync(`${file}.br`, brotli)
  writeFileSync(`${file}.gz`, gzipped)
}

/** Throws when it is too heavy. `stamp` tells the next build that nothing is to be done; it is written last. */
export const buildWeb = async (stamp) => {
  const dist = join(folder, 'dist')
  // Tests build too, and for them the libraries would be those of development, half as heavy again.
  process.env.NODE_ENV = 'production'
  // The second lies within the folder of the first, which empties it.
  for (const config of ['vite.config.ts', 'vite.fill.config.ts']) {
    await bundle({ root: folder, configFile: join(folder, config), mode: 'production', logLevel: 'warn' })
  }
  const names = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => packed.test(name))
  await Promise.all(names.filter((name) => !/(^|\/)\./.test(name)).map((name) => packFile(join(dist, name))))
  const weights = weightsOf(dist)
  writeFileSync(join(dist, 'weights.json'), `${JSON.stringify(weights, null, 2)}\n`)
  const faults = faultsIn(weights)
  if (faults.length > 0) throw new Error(`The web application is too heavy:\n${faults.join('\n')}`)
  writeFileSync(stamp, '')
}
