// What a browser loads of this package, as a bundler makes it of the entries that package.json names.
import { brotliCompressSync } from 'node:zlib'
import { rolldown } from 'rolldown'

export interface Bundle {
  readonly code: string
  /** What the bundler could not find for a browser: modules of Node. */
  readonly missing: readonly string[]
  /** In brotli, minified. */
  readonly kilobytes: number
}

/** `source` is a module that stands in `folder`; what it imports is taken from what was built, or is installed there. */
export const bundleForBrowser = async (source: string, folder = import.meta.dirname): Promise<Bundle> => {
  const id = `${folder}/in-browser.js`
  const made = await rolldown({
    input: id,
    platform: 'browser',
    logLevel: 'silent',
    plugins: [
      {
        name: 'source',
        resolveId: (wanted) => (wanted === id ? id : undefined),
        load: (wanted) => (wanted === id ? source : undefined),
      },
    ],
  })
  const { output } = await made.generate({ format: 'esm', minify: true })
  await made.close()
  const [{ code, imports, dynamicImports }] = output
  const kilobytes = brotliCompressSync(code).length / 1000
  return { code, missing: [...imports, ...dynamicImports], kilobytes }
}
