import { defineConfig } from 'vitest/config'

// The time limit is for machines that are busy with other things; a test alone takes milliseconds.
export default defineConfig({ test: { name: 'xlsform', include: ['{src,test}/**/*.test.ts'], testTimeout: 60_000 } })
