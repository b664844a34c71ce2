import { fileURLToPath } from 'node:url'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [vue()],
  resolve: { alias: { '@': fileURLToPath(new URL('src', import.meta.url)) } },
  define: { __KIT__: 'false' },
  test: {
    name: 'web',
    include: ['{src,test}/**/*.test.ts'],
    isolate: false,
    // The same as in the other projects: a busy machine is no fault.
    testTimeout: 120_000,
  },
})
