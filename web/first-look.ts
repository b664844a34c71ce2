import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/** The chosen look is set before anything is painted. No script may stand in the page itself, so it is a small file before all
 * others; a module would come after the first paint, and the page would flash. */
export const firstLook = (base = '/'): Plugin => {
  const source = readFileSync(new URL('src/look/first.js', import.meta.url), 'utf8')
  const fileName = `assets/look-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.js`
  return {
    name: 'first-look',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source })
    },
    transformIndexHtml: () => [{ tag: 'script', attrs: { src: `${base}${fileName}` }, injectTo: 'head' }],
  }
}
