// Builds what changed: the TypeScript of every package, the web application, and the thread that draws charts together with its library in one
// file. So the library, 62 MB of which half of one is used, is no part of a production install.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const changedAt = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0)

const compile = () => {
  const { status } = spawnSync(process.execPath, [at('node_modules/typescript/bin/tsc'), '-b', at('')], {
    stdio: 'inherit',
  })
  return status ?? 1
}

const drawing = {
  from: at('server/dist/features/charts/drawing/worker.js'),
  to: at('server/dist/drawing.js'),
  /** What it was made of. */
  parts: at('server/dist/drawing.json'),
}

const isDrawingStale = () => {
  if (!existsSync(drawing.to) || !existsSync(drawing.parts)) return true
  const parts = JSON.parse(readFileSync(drawing.parts, 'utf8'))
  return parts.some((part) => !existsSync(part) || changedAt(part) > changedAt(drawing.to))
}

const bundleDrawing = async () => {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({ input: drawing.from, platform: 'node', logLevel: 'warn' })
  await bundle.write({ file: drawing.to, format: 'esm', minify: true })
  writeFileSync(drawing.parts, JSON.stringify(await bundle.watchFiles))
  await bundle.close()
}

/** What the application is made of, besides its packages. */
const web = {
  parts: [
    'web/src',
    'web/index.html',
    'web/package.json',
    'web/vite.config.ts',
    'web/build.mjs',
    'web/weights.mjs',
    'server/static/tokens.css',
  ],
  stamp: at('web/dist/.built'),
}

const newest = (path) =>
  statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, encoding: 'utf8' })
        .filter((name) => !name.endsWith('.test.ts'))
        .reduce((latest, name) => Math.max(latest, changedAt(join(path, name))), changedAt(path))
    : changedAt(path)

const isWebStale = () => web.parts.some((part) => newest(at(part)) > changedAt(web.stamp))

const bundleWeb = async () => {
  const { buildWeb } = await import('../web/build.mjs')
  await buildWeb(web.stamp)
}

process.exitCode = compile()
if (process.exitCode === 0 && isDrawingStale()) await bundleDrawing()
if (process.exitCode === 0 && isWebStale()) await bundleWeb()
