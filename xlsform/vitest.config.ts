import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { name: 'xlsform', include: ['{src,test}/**/*.test.ts'] } })
