import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'server',
    include: ['{src,test}/**/*.test.ts'],
    globalSetup: ['test/support/cluster.ts'],
    hookTimeout: 30_000,
    testTimeout: 20_000,
  },
})
