// Builds what changed: the TypeScript of every package, then the server and the thread that draws charts as few files, and the
// web application.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isInstalled } from './shipped.mjs'

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const changedAt = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0)

const compile = () => {
  const { status } = spawnSync(process.execPath, [at('node_modules/typescript/bin/tsc'), '-b', at('')], {
    stdio: 'inherit',
  })
  return status ?? 1
}

/** The queue's library looks for settings of its own in the folder that a command is started in, and in those above: it fails where that
 * may not be read, and runs what lies there. What it asks finds nothing. */
const withoutSearch = {
  name: 'without-search',
  resolveId: (id) => (id === 'cosmiconfig' ? '\0cosmiconfig' : undefined),
  load: (id) =>
    id === '\0cosmiconfig' ? 'export const cosmiconfigSync = () => ({ search: () => undefined })' : undefined,
}

/** What runs is bundled: `input` with what it imports, written to `folder`. `parts` tells what it was made of. */
const bundles = [
  // Its library is 62 MB, of which half of one is used: so it is no part of a production install.
  {
    input: at('server/dist/features/charts/drawing/worker.js'),
    folder: at('server/dist/drawing'),
    options: {},
    output: { minify: true },
  },
  // Several hundred files of our own would be half of the time and the work of a start; those of packages another sixth, and 85 MB
  // of an install. Left out are those that are more than JavaScript. Names and lines are kept, so that a trace can be read.
  {
    input: { main: at('server/dist/main.js'), worker: at('xlsform/dist/thread/worker.js') },
    folder: at('server/program'),
    // A package warns of what is deprecated through eval, of words of its own.
    options: { external: isInstalled, checks: { eval: false }, plugins: [withoutSearch] },
    // Bounds in a file of their own: tests load it before the rest, and wait for less long.
    output: { comments: false, codeSplitting: { groups: [{ name: 'budgets', test: /\/server\/dist\/budgets/ }] } },
  },
]

const isStale = ({ folder }) => {
  const parts = `${folder}/parts.json`
  if (!existsSync(parts)) return true
  const madeAt = changedAt(parts)
  if (changedAt(fileURLToPath(import.meta.url)) > madeAt) return true
  return JSON.parse(readFileSync(parts, 'utf8')).some((part) => !existsSync(at(part)) || changedAt(at(part)) > madeAt)
}

const bundle = async ({ input, folder, options, output }) => {
  const { rolldown } = await import('rolldown')
  const made = await rolldown({ input, platform: 'node', logLevel: 'warn', ...options })
  // The same names each time: a server that runs meanwhile still finds what it loads later.
  await made.write({ dir: folder, format: 'esm', chunkFileNames: '[name].js', ...output })
  // From here: a checkout that was moved or copied is not taken for the one that it comes from.
  const parts = (await made.watchFiles).map((part) => relative(at(''), part))
  writeFileSync(`${folder}/parts.json`, JSON.stringify(parts))
  await made.close()
}

/** What the application is made of, besides its packages. */
const web = {
  parts: [
    'web/src',
    'web/index.html',
    'web/fill.html',
    'web/package.json',
    'web/vite.config.ts',
    'web/vite.fill.config.ts',
    'web/first-look.ts',
    'web/renderer.ts',
    'web/worker.ts',
    'web/build.mjs',
    'web/weights.mjs',
    'xlsform/dist',
    'server/static/tokens.css',
    'server/src/formats/drawing',
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
if (process.exitCode === 0) {
  await Promise.all(bundles.filter(isStale).map(bundle))
  if (isWebStale()) await bundleWeb()
  // Sources that were only touched make nothing new. By this time a start knows that they were looked at.
  const now = new Date()
  for (const { folder } of bundles) utimesSync(`${folder}/parts.json`, now, now)
}
