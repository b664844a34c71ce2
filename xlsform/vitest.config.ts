import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'xlsform',
    include: ['{src,test}/**/*.test.ts'],
    globalSetup: ['../scripts/built.mjs'],
    // Starting a process for each file took longer than most of them do.
    isolate: false,
    // For machines that are busy with other things; a test alone takes milliseconds.
    testTimeout: 120_000,
  },
})
