// npm run pack: the server as one file that `npm install --global` takes, on a machine with nothing but Node.
// It is laid out as the checkout is, so that every part finds the others; what it is made of is in it, but for three packages.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { notices } from './notices.mjs'
import { shippedLock, shippedManifest } from './shipped.mjs'

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const readJson = (path) => JSON.parse(readFileSync(at(path), 'utf8'))

const files = [
  'LICENSE',
  'CHANGELOG.md',
  'server/bin',
  'server/program',
  'server/migrations',
  'server/static',
  'server/dist/drawing/worker.js',
  'web/dist',
  'docs/configuration.md',
  'docs/operations.md',
  'docs/running.md',
  'docs/scaling.md',
  'deploy/sheaf.service',
  'deploy/sheaf.env',
  'deploy/nginx.conf',
  'deploy/Caddyfile',
]

/** What a build keeps for the next one. */
const isOfBuild = (path) => ['.built', '.vite', 'parts.json', 'weights.json'].includes(basename(path))

const manifest = shippedManifest(readJson('server/package.json'))

/** Lays the package out in a folder. */
const stage = (folder) => {
  rmSync(folder, { recursive: true, force: true })
  for (const path of files) {
    if (!existsSync(at(path))) throw new Error(`${path} is not there: npm run build`)
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(at(path), join(folder, path), { recursive: true, filter: (source) => !isOfBuild(source) })
  }
  const write = (path, value) => writeFileSync(join(folder, path), `${JSON.stringify(value, undefined, 2)}\n`)
  write('server/package.json', { type: manifest.type, version: manifest.version })
  write('npm-shrinkwrap.json', shippedLock(manifest, readJson('package-lock.json').packages))
  writeFileSync(join(folder, 'THIRD-PARTY.txt'), notices())
  write('package.json', { ...manifest, files: readdirSync(folder) })
}

/** The place of the file that was made. */
export const pack = (to = at('dist')) => {
  const folder = join(to, 'package')
  stage(folder)
  const args = ['pack', folder, '--pack-destination', to, '--json', '--ignore-scripts', '--offline']
  const [{ filename, size, unpackedSize, entryCount }] = JSON.parse(
    execFileSync('npm', args, { cwd: to, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  )
  rmSync(folder, { recursive: true })
  return { file: join(to, filename), size, unpackedSize, entryCount }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { file, size, unpackedSize, entryCount } = pack(process.argv[2])
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`
  process.stdout.write(`${file}\n${entryCount} files, ${megabytes(size)}, unpacked ${megabytes(unpackedSize)}\n`)
}
