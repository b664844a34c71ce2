// What npm runs after an install. With everything installed it builds. An install for production (`npm ci --omit=dev`) runs what
// was built before it, by `npm ci`, and holds nothing that only builds.
import { existsSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

const isProduction = (process.env.npm_config_omit ?? '').split(/\s+/).includes('dev')

const trim = () => {
  // A package that can read settings in TypeScript names the compiler as one that it would use if it were there.
  for (const path of ['node_modules/typescript', 'node_modules/@typescript'])
    rmSync(at(path), { recursive: true, force: true })
  if (existsSync(at('server/program/main.js'))) return
  process.stdout.write(
    'Nothing is built yet, and a production install has no compiler. Run `npm ci` first, then `npm ci --omit=dev`.\n',
  )
}

if (isProduction) trim()
else await import('./build.mjs')
