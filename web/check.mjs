// Type-checks the application with the compiler of this workspace: vue-tsc lies beside the root's compiler, which it cannot use.
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)
await import('./describe.mjs')
process.argv.push('-p', fileURLToPath(new URL('tsconfig.json', import.meta.url)))
require('vue-tsc').run(require.resolve('typescript/lib/tsc'))
