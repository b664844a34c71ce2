import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'server',
    include: ['{src,test}/**/*.test.ts'],
    globalSetup: ['../scripts/built.mjs', 'test/support/cluster.ts'],
    // Every statement that a test runs is held against what Citus takes (ADR 0042).
    setupFiles: ['test/support/citus/watch.ts'],
    // Files of one worker share what they import: loading the application for each of them took a third of the time. Each has
    // a database of its own, and nothing else that lasts.
    isolate: false,
    // For machines that are busy with other things.
    hookTimeout: 120_000,
    testTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
  },
})
