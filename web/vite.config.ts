import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import vue from '@vitejs/plugin-vue'
import { defineConfig, type Plugin } from 'vite'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The chosen look is set before anything is painted. No script may stand in the page itself, so it is a small file before all
 * others; a module would come after the first paint, and the page would flash. */
const firstLook = (): Plugin => {
  const source = readFileSync(at('src/look/first.js'), 'utf8')
  const fileName = `assets/look-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.js`
  return {
    name: 'first-look',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source })
    },
    transformIndexHtml: () => [{ tag: 'script', attrs: { src: `/${fileName}` }, injectTo: 'head' }],
  }
}

/** A server that runs beside `npm run dev`; pages and scripts come from Vite, everything else from there. */
const server = process.env.SHEAF ?? 'http://127.0.0.1:8080'
const forwarded = ['/api', '/accounts', '/o', '/oidc', '/avatar', '/favicon.svg', '/healthz', '/web/options']

export default defineConfig(({ mode }) => ({
  root: at('.'),
  plugins: [vue(), firstLook()],
  resolve: { alias: { '@': at('src') } },
  define: {
    __VUE_OPTIONS_API__: 'false',
    __VUE_PROD_DEVTOOLS__: 'false',
    /** Whether `/kit`, which shows every part, is built in. */
    __KIT__: JSON.stringify(mode !== 'production'),
  },
  build: {
    outDir: at(mode === 'production' ? 'dist' : 'dist-kit'),
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: {
        // One file for what nearly every page needs, instead of thirty small ones: on a bad line each costs a round trip. What is
        // heavy lies in a folder of its own below parts/, and stays with the pages that use it.
        codeSplitting: { groups: [{ name: 'common', test: /\/web\/src\/(base|look|api|parts)\/[^/]+$/ }] },
      },
    },
  },
  server: { proxy: Object.fromEntries(forwarded.map((path) => [path, { target: server, changeOrigin: false }])) },
}))
