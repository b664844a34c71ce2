import { fileURLToPath } from 'node:url'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'
import { firstLook } from './first-look.ts'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

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
