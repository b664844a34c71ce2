// The page where forms are filled in: a build of its own, below /f/, so that a service worker of that scope covers every file of it.
import { fileURLToPath } from 'node:url'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'
import { firstLook } from './first-look.ts'
import { renderer } from './renderer.ts'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: at('.'),
  base: '/f/',
  publicDir: false,
  plugins: [renderer(), vue(), firstLook('/f/')],
  resolve: { alias: { '@': at('src') } },
  define: { __VUE_OPTIONS_API__: 'true', __VUE_PROD_DEVTOOLS__: 'false', __KIT__: 'false' },
  build: {
    outDir: at('dist/f'),
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 3000,
    rolldownOptions: { input: at('fill.html'), checks: { pluginTimings: false } },
  },
})
