import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { configurationMarkdown } from '../../src/platform/config/index.js'
import { allSettings } from '../../src/settings.js'

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

describe('documentation', () => {
  it('docs/configuration.md is what the settings say; otherwise run `npm run docs`', () => {
    expect(read('docs/configuration.md')).toBe(configurationMarkdown(allSettings))
  })

  it('every setting has a name of its own and words that explain it', () => {
    const settings = allSettings.flatMap((group) => Object.values(group.settings))
    expect(new Set(settings.map(({ name }) => name)).size).toBe(settings.length)
    for (const { name, doc } of settings) expect(`${name}: ${doc}`).toMatch(/^[A-Z_]+: .{15,}\.$/s)
  })

  it('every setting is tried by a test', () => {
    const folders = ['server/src', 'server/test'].map((path) => new URL(`../../../${path}/`, import.meta.url))
    const tests = folders
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' })
          .filter((name) => name.endsWith('.test.ts') && !name.endsWith('documentation.test.ts'))
          .map((name) => readFileSync(new URL(name, folder), 'utf8')),
      )
      .join('\n')
    const names = allSettings.flatMap((group) => Object.values(group.settings).map(({ name }) => name))
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(tests))).toEqual([])
  })

  it('every setting that the README names exists', () => {
    const names = new Set(allSettings.flatMap((group) => Object.values(group.settings).map(({ name }) => name)))
    const named = [...read('README.md').matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, name]) => name ?? '')
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((name) => !names.has(name))).toEqual([])
  })

  it('ARCHITECTURE.md names every room and every part of the platform', () => {
    const page = read('ARCHITECTURE.md')
    const rooms = readdirSync(new URL('../../src/features', import.meta.url))
    const platform = readdirSync(new URL('../../src/platform', import.meta.url), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${name}/`)
    for (const name of [...rooms, ...platform]) expect(page).toContain(`\`${name}\``)
  })

  it('every linked file of the README and the documents beside it exists', () => {
    for (const page of ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'SECURITY.md']) {
      for (const [, target = ''] of read(page).matchAll(/\]\(([^)#:]+)\)/g)) {
        if (!target.endsWith('/adr')) expect(read(target), `${page} → ${target}`).toBeTruthy()
      }
    }
  })
})
