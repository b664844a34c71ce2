#!/usr/bin/env node
// In a checkout, what changed since the last build is built first. Looking takes a few milliseconds; asking the
// compiler every time would take a tenth of a start.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import nodeModule from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Node 22 and newer keep compiled code between starts.
nodeModule.enableCompileCache?.()

const root = fileURLToPath(new URL('../..', import.meta.url))
const main = join(root, 'server/program/main.js')
const workspaces = ['server', 'xlsform', 'web']

const changedAt = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0)

const newestSource = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|vue|css|js)$/.test(name) && !name.endsWith('.test.ts'))
    .reduce((newest, name) => Math.max(newest, changedAt(join(folder, name))), 0)

const builtAt = changedAt(join(root, 'server/program/parts.json'))

const isStale = workspaces.some((name) => {
  const source = join(root, name, 'src')
  return existsSync(source) && newestSource(source) > builtAt
})

/** Not there where the development dependencies are left out: there the build is what was shipped. */
const hasCompiler = existsSync(join(root, 'node_modules/typescript/bin/tsc'))

if (isStale && hasCompiler) {
  process.stderr.write('Building what changed…\n')
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.mjs')], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

if (existsSync(main)) {
  await import(main)
} else {
  process.stderr.write('Sheaf is not built yet. Run: npm ci && npm run build\n')
  process.exitCode = 1
}
