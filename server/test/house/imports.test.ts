// Who may import whom. The linter cannot see it, so it is checked here.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const source = fileURLToPath(new URL('../../src', import.meta.url))

/** From the ground up: a room may import those that stand before it. */
const rooms = [
  'permissions',
  'invitations',
  'uploads',
  'messaging',
  'deliveries',
  'users',
  'credentials',
  'profiles',
  'account',
  'organizations',
  'teams',
  'projects',
  'forms',
  'submissions',
  'sight',
  'attachments',
  'notes',
  'reviews',
  'data',
  'aggregation',
  'dataviews',
  'linked-data',
  'metadata',
  'exports',
  'charts',
  'stats',
  'openrosa',
  'imports',
  'messages',
  'widgets',
  'rest-services',
  'mandates',
  'plans',
  'verification',
  'oauth',
  'avatars',
  'health',
  'root',
]

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(join(source, name), 'utf8') }))
const code = files.filter(({ name }) => !/(\.test|\/testing)\.ts$/.test(name))

const importPattern = /(?:import|export)[^'"]*?from\s+'([^']+)'|import\('([^']+)'\)/g

/** Our own modules that a file imports, as paths below src. */
const importsOf = ({ name, text }: { name: string; text: string }): string[] =>
  [...text.matchAll(importPattern)]
    .map(([, statically, dynamically]) => statically ?? dynamically ?? '')
    .filter((target) => target.startsWith('.'))
    .map((target) => relative(source, resolve(source, dirname(name), target)))

const roomOf = (path: string) => /^features\/([^/]+)\//.exec(path)?.[1]
const platformRoomOf = (path: string) => /^platform\/([^/]+)\//.exec(path)?.[1]

const broken = (rule: (from: string, to: string) => boolean): string[] =>
  code.flatMap((file) =>
    importsOf(file)
      .filter((to) => rule(file.name, to))
      .map((to) => `${file.name} → ${to}`),
  )

describe('the house', () => {
  it('reads every file', () => {
    expect(code.length).toBeGreaterThan(80)
    expect(code.flatMap(importsOf).length).toBeGreaterThan(200)
  })

  it('budgets import nothing', () => {
    expect(broken((from) => from === 'budgets.ts')).toEqual([])
  })

  it('platform imports nothing of ours but platform and budgets', () => {
    expect(broken((from, to) => from.startsWith('platform/') && !/^(platform\/|budgets\.js$)/.test(to))).toEqual([])
  })

  it('formats import nothing of ours but formats and budgets', () => {
    expect(broken((from, to) => from.startsWith('formats/') && !/^(formats\/|budgets\.js$)/.test(to))).toEqual([])
  })

  it('features import platform, formats, budgets and other rooms, never what stands above them', () => {
    expect(
      broken((from, to) => from.startsWith('features/') && !/^((platform|formats|features)\/|budgets\.js$)/.test(to)),
    ).toEqual([])
  })

  it('a room uses another through its index only', () => {
    const isOther = (from: string, to: string) => roomOf(to) !== undefined && roomOf(to) !== roomOf(from)
    // The table of models names the schemas of all rooms, for the description: it reaches for nothing else of theirs.
    const isModels = (from: string, to: string) => from === 'models.ts' && /\.(schemas|views)\.js$/.test(to)
    const isDoor = (to: string) => /^features\/[^/]+\/index\.js$/.test(to)
    expect(broken((from, to) => isOther(from, to) && !isDoor(to) && !isModels(from, to))).toEqual([])
    const isOtherPlatform = (from: string, to: string) =>
      platformRoomOf(to) !== undefined && platformRoomOf(to) !== platformRoomOf(from)
    expect(broken((from, to) => isOtherPlatform(from, to) && !/\/index\.js$/.test(to))).toEqual([])
  })

  it('every file of schemas is in the table of models', () => {
    const table = code.find(({ name }) => name === 'models.ts')
    const named = new Set(table === undefined ? [] : importsOf(table))
    const schemas = code.map(({ name }) => name).filter((name) => /^features\/.*\.schemas\.ts$/.test(name))
    expect(schemas.length).toBeGreaterThan(20)
    expect(schemas.filter((name) => !named.has(name.replace(/\.ts$/, '.js')))).toEqual([])
  })

  it('a room imports only rooms that stand before it; every room is in the order', () => {
    const place = (path: string) => rooms.indexOf(roomOf(path) ?? '')
    expect(code.filter(({ name }) => roomOf(name) !== undefined && place(name) === -1)).toEqual([])
    expect(
      broken((from, to) => roomOf(from) !== undefined && roomOf(to) !== undefined && place(to) > place(from)),
    ).toEqual([])
  })

  it('only *.queries.ts write SQL', () => {
    const writers = code.filter(({ text }) => /import \{[^}]*\bsql\b[^}]*\} from '[^']*db\/index\.js'/.test(text))
    expect(writers.map(({ name }) => name).filter((name) => !name.endsWith('.queries.ts'))).toEqual([])
    const rawQueries = code.filter(({ name, text }) => /\.query\(/.test(text) && !name.startsWith('platform/'))
    expect(rawQueries.map(({ name }) => name)).toEqual([])
  })

  it('only platform/config reads the settings from the environment', () => {
    // Handing the environment, or its PATH, on to a child process is not reading settings.
    const readers = code.filter(({ text }) => /(?<!\.\.\.)process\.env\b(?!\.PATH)/.test(text)).map(({ name }) => name)
    expect(readers).toEqual(['platform/config/config.ts'])
  })

  it('only platform/outbound calls other servers', () => {
    const calling = /from 'undici'|import\('undici'\)|from 'node:https'|\bfetch\(|\bhttps?\.(get|request)\(/
    const callers = code.filter(({ text }) => calling.test(text)).map(({ name }) => name)
    expect(callers.filter((name) => !name.startsWith('platform/outbound/'))).toEqual([])
  })

  it('role names are compared in the permission room only', () => {
    const roles = 'member|readonly(-no-download)?|dataentry(-only|-minor)?|editor(-minor)?|manager|owner'
    const comparison = new RegExp(`[!=]== '(${roles})'`)
    const comparing = code.filter(
      ({ name, text }) => comparison.test(text) && !name.startsWith('features/permissions/'),
    )
    expect(comparing.map(({ name }) => name)).toEqual([])
  })

  it('nobody catches that something is missing: whoever answers otherwise asks a function that may find nothing', () => {
    const catching = code.filter(({ name, text }) => /\.status [!=]== 404/.test(text) && name.startsWith('features/'))
    expect(catching.map(({ name }) => name)).toEqual([])
  })

  it('no file is longer than 400 lines', () => {
    expect(files.filter(({ text }) => text.split('\n').length > 400).map(({ name }) => name)).toEqual([])
  })

  it('no unfinished marks, no skipped or lonely tests', () => {
    const marks = /\b(TODO|FIXME|XXX|HACK)\b|\b(it|test|describe)\.(skip|only|todo)\b/
    expect(files.filter(({ text }) => marks.test(text)).map(({ name }) => name)).toEqual([])
  })
})
