// Examples and guides name what there is: settings, metrics and files.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/platform/config/index.js'
import { allSettings } from '../../src/settings.js'

const root = join(import.meta.dirname, '../../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const examples = readdirSync(join(root, 'deploy')).map((name) => `deploy/${name}`)
const guides = ['docs/operations.md', 'docs/running.md', 'docs/scaling.md']
const settings = new Set(allSettings.flatMap((group) => Object.values(group.settings).map(({ name }) => name)))

/** Of the system, of PostgreSQL, of the store, and of the examples themselves. */
const others =
  /^(?:AF_\w+|NODE_ENV|POSTGRES_(?:USER|DB|PASSWORD)|ROOT_(?:ACCESS|SECRET)_KEY|STORE_SECRET|SHEAF_(?:HOST|NODES)|BUILT_IN_POSTGRES)$/

/** `NAME=value` of a file of settings, those that are commented out too. */
const assigned = (file: string): Record<string, string> =>
  Object.fromEntries(
    [...read(file).matchAll(/^#?([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value.replace(/^'(.*)'$/, '$1'),
    ]),
  )

/** Of one node in the compose file: `NAME: value` below `environment`. */
const ofNode = (): Record<string, string> => {
  const [, block = ''] = /environment: &environment\n((?: {4}\S.*\n)+)/.exec(read('deploy/compose.yaml')) ?? []
  return Object.fromEntries(
    [...block.matchAll(/^ {4}([A-Z_]+): (.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  )
}

describe('examples and guides', () => {
  it.each([...examples, ...guides])('%s names no setting that there is not', (file) => {
    const named = [...new Set(read(file).match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g))]
    expect(named.filter((name) => !settings.has(name) && !others.test(name))).toEqual([])
  })

  it('settings of the service are such that a server starts with them', () => {
    const { TMPDIR, ...env } = assigned('deploy/sheaf.env')
    expect(Object.keys(env).filter((name) => !settings.has(name))).toEqual([])
    expect(TMPDIR?.startsWith(`${env.DATA_DIR}/`)).toBe(true)
    const filled = { ...env, SECRET_KEY: 'of at least sixteen', BACKUP_PASSPHRASE: '' }
    expect(() => loadConfig(allSettings, filled)).not.toThrow()
  })

  it('settings of a node are such that it starts with them, also where what is optional is left empty', () => {
    const node = ofNode()
    expect(Object.keys(node).filter((name) => !settings.has(name))).toEqual([])
    expect(Object.keys(node)).toEqual(
      expect.arrayContaining(['DATABASE_URL', 'FILES_URL', 'SECRET_KEY', 'TRUST_PROXY']),
    )
    const filled = Object.entries(node).map(([name, value]) => [
      name,
      // As compose does it: what must be there is, what may be left out is.
      value.replace(/\$\{\w+:\?[^}]*\}/g, 'abcdefghijklmnopqrst').replace(/\$\{\w+:-([^}]*)\}/g, '$1'),
    ])
    expect(() => loadConfig(allSettings, Object.fromEntries(filled))).not.toThrow()
    const asked = [...read('deploy/compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name)
    expect(Object.keys(assigned('deploy/compose.env.example'))).toEqual(expect.arrayContaining([...new Set(asked)]))
  })

  it.each(guides)('%s names metrics that are documented, and pages that are there', (file) => {
    const page = read(file)
    const documented = new Set(read('docs/running.md').match(/(?<=^\| `)sheaf_\w+/gm))
    const named = (page.match(/\bsheaf_\w+/g) ?? []).map((name) => name.replace(/_(?:count|bucket|sum)$/, ''))
    expect(named.filter((name) => !documented.has(name))).toEqual([])
    const links = [...page.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, path = '']) => path)
    expect(links.filter((path) => !existsSync(join(root, 'docs', path)))).toEqual([])
  })
})
