// npm run keep-release [-- CHECKOUT]
// Run when a release is made: keeps its program, as it was built, for the tests that run it beside the next one
// (server/test/process/rolling.test.ts). A checkout may come without its history, so it is a file of its own.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const checkout = resolve(process.argv[2] ?? at(''))
const folder = at('server/test/previous-release')

/** What runs. Pages and their files are not in it: they are built, and say nothing of the database. */
const parts = ['server/bin', 'server/migrations', 'server/package.json', 'server/program', 'server/static']
const compiler = ['xlsform/dist', 'xlsform/package.json']
const isLeftOut = (name) => /\.(d\.ts|map|tsbuildinfo)$|\/parts\.json$/.test(name)

const filesIn = (path) =>
  statSync(join(checkout, path)).isDirectory()
    ? readdirSync(join(checkout, path)).flatMap((name) => filesIn(`${path}/${name}`))
    : [path]

const files = [...parts, ...compiler].flatMap(filesIn).filter((name) => !isLeftOut(name))
const same = ['--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=a+rX,u+w,go-w']
const tar = execFileSync('tar', ['-c', '-C', checkout, ...same, '-T', '-'], {
  input: files.sort().join('\n'),
  maxBuffer: 64 * 1024 * 1024,
})
const git = (...words) => execFileSync('git', ['-C', checkout, ...words], { encoding: 'utf8' }).trim()
const knows = Math.max(...readdirSync(join(checkout, 'server/migrations')).map((name) => Number.parseInt(name, 10)))
const { version } = JSON.parse(readFileSync(join(checkout, 'server/package.json'), 'utf8'))
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'program.tar.gz'), gzipSync(tar, { level: 9 }))
writeFileSync(
  join(folder, 'release.json'),
  `${JSON.stringify({ version, commit: git('rev-parse', 'HEAD'), knows }, undefined, 2)}\n`,
)
process.stdout.write(`Kept ${version} (${git('rev-parse', '--short', 'HEAD')}): ${files.length} files.\n`)
