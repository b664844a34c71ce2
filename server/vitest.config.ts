import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'server',
    include: ['{src,test}/**/*.test.ts'],
    globalSetup: ['test/support/cluster.ts'],
    hookTimeout: 60_000,
    testTimeout: 40_000,
  },
})
