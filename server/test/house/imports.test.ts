// Who may import whom. The linter cannot see it, so it is checked here.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { circlesIn, importsOf, isCode, sourcesIn } from '../support/sources.js'

const source = fileURLToPath(new URL('../../src', import.meta.url))
const compiler = fileURLToPath(new URL('../../../xlsform/src', import.meta.url))
const architecture = readFileSync(new URL('../../../ARCHITECTURE.md', import.meta.url), 'utf8')

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
  'sign-in',
  'account',
  'organizations',
  'teams',
  'projects',
  'forms',
  'keys',
  'codes',
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
  'drafts',
  'library',
  'exports',
  'charts',
  'stats',
  'openrosa',
  'briefcase',
  'imports',
  'messages',
  'activity',
  'widgets',
  'rest-services',
  'mandates',
  'plans',
  'example',
  'verification',
  'oauth',
  'avatars',
  'health',
  'nodes',
  'operations',
  'backups',
  'distribution',
  'web',
  'root',
]

/** Rooms that have rooms inside, these from the ground up too. What lies in such a room itself stands on top of them. */
const inner: Readonly<Record<string, readonly string[]>> = {
  forms: ['versions', 'attached', 'compiling', 'form', 'changing', 'publishing'],
  data: [
    'answers',
    'selection',
    'reading',
    'tables',
    'lists',
    'clusters',
    'audits',
    'files',
    'record',
    'removal',
    'changes',
    'indexes',
  ],
  oauth: ['clients', 'approvals', 'tokens', 'protocol'],
}

const files = sourcesIn(source)
const code = files.filter(isCode)

const roomOf = (path: string) => /^features\/([^/]+)\//.exec(path)?.[1]
const innerOf = (path: string): string | undefined => {
  const [, room = '', name] = /^features\/([^/]+)\/([^/]+)\//.exec(path) ?? []
  return Object.hasOwn(inner, room) ? name : undefined
}
/** An inner room is entered by its own index; only the table of models names schemas of all of them, for the description. */
const goesOverAWall = (from: string, to: string): boolean => {
  const isWithin = roomOf(from) === roomOf(to) && innerOf(from) === innerOf(to)
  const isSchema = from === 'models.ts' && /\.(schemas|views)\.js$/.test(to)
  return innerOf(to) !== undefined && !isWithin && !isSchema && !/^features\/[^/]+\/[^/]+\/index\.js$/.test(to)
}

/** From an inner room to one that stands above it, or to what stands on top of all of them. */
const goesUp = (from: string, to: string): boolean => {
  const names = inner[roomOf(from) ?? ''] ?? []
  const place = (path: string) => names.indexOf(innerOf(path) ?? '')
  return innerOf(from) !== undefined && roomOf(to) === roomOf(from) && (place(to) === -1 || place(to) > place(from))
}

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

  it('budgets import nothing but each other, and where files lie nothing at all', () => {
    const isBudget = (name: string) => /^budgets(-of-data)?\.[jt]s$/.test(name)
    expect(broken((from, to) => (isBudget(from) && !isBudget(to)) || from === 'paths.ts')).toEqual([])
  })

  it('platform imports nothing of ours but platform, budgets and where files lie', () => {
    const isOpen = (to: string) => /^(platform\/|(budgets|paths)\.js$)/.test(to)
    expect(broken((from, to) => from.startsWith('platform/') && !isOpen(to))).toEqual([])
  })

  it('formats import nothing of ours but formats and budgets', () => {
    expect(broken((from, to) => from.startsWith('formats/') && !/^(formats\/|budgets\.js$)/.test(to))).toEqual([])
  })

  it('features import platform, formats, budgets, where files lie and other rooms, never what stands above them', () => {
    expect(
      broken(
        (from, to) => from.startsWith('features/') && !/^((platform|formats|features)\/|(budgets|paths)\.js$)/.test(to),
      ),
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

  it('an inner room is entered through its index only, also by its neighbours', () => {
    expect(broken(goesOverAWall)).toEqual([])
  })

  it('an inner room imports only those that stand before it, and nothing that stands on top of them', () => {
    expect(broken(goesUp)).toEqual([])
  })

  it('finds what goes over a wall, and what goes up', () => {
    const [slices, door] = ['features/data/selection/slices.js', 'features/data/selection/index.js']
    for (const from of [
      'features/data/tables/csv.ts',
      'features/data/index.ts',
      'features/charts/charts.ts',
      'app.ts',
    ]) {
      expect([goesOverAWall(from, slices), goesOverAWall(from, door)]).toEqual([true, false])
    }
    expect(goesOverAWall('features/data/selection/access.ts', slices)).toBe(false)
    expect(goesOverAWall('models.ts', 'features/data/selection/selection.schemas.js')).toBe(false)
    expect(goesUp('features/data/selection/slices.ts', 'features/data/tables/index.js')).toBe(true)
    expect(goesUp('features/data/tables/csv.ts', 'features/data/index.js')).toBe(true)
    for (const to of [door, 'features/data/tables/columns.js', 'features/forms/index.js', 'platform/db/index.js']) {
      expect(goesUp('features/data/tables/csv.ts', to)).toBe(false)
    }
  })

  it('every inner room is in the order of its room, and has an index', () => {
    const listed = Object.entries(inner).flatMap(([room, names]) => names.map((name) => `features/${room}/${name}`))
    const there = code.flatMap(({ name }) =>
      innerOf(name) === undefined ? [] : [name.split('/').slice(0, 3).join('/')],
    )
    expect([...new Set(there)].sort()).toEqual([...listed].sort())
    expect(listed.filter((folder) => !existsSync(join(source, folder, 'index.ts')))).toEqual([])
  })

  it('ARCHITECTURE.md lists rooms and inner rooms in the order that is tested here', () => {
    const section = (heading: string) => architecture.split(`\n### ${heading}\n`)[1]?.split('\n#')[0] ?? ''
    const first = (text: string) => [...text.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name)
    expect(first(section('Rooms, from the ground up'))).toEqual(rooms)
    const [, ...parts] = section('Rooms within rooms').split(/^\*\*`([^`]+)`\*\*$/m)
    const tables = parts.flatMap((room, index) => (index % 2 === 0 ? [[room, first(parts[index + 1] ?? '')]] : []))
    expect(Object.fromEntries(tables)).toEqual(inner)
  })

  it('no file imports itself through others, not even for a type: not here, not in the compiler', () => {
    expect(circlesIn(code)).toEqual([])
    const compiling = sourcesIn(compiler).filter(isCode)
    expect(compiling.length).toBeGreaterThan(50)
    expect(circlesIn(compiling)).toEqual([])
  })

  it('finds a circle where there is one', () => {
    const texts = {
      'a.ts': "import { b } from './in/b.js'",
      'in/b.ts': "export type { C } from '../c.js'",
      'c.ts': "const a = await import('./a.js')",
      'd.ts': "import './a.js'",
    }
    expect(circlesIn(Object.entries(texts).map(([name, text]) => ({ name, text })))).toEqual([
      'a.ts → in/b.ts → c.ts → a.ts',
    ])
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

it('a file beside the source is named in paths.ts alone: what runs is bundled, and lies elsewhere than its source', () => {
  const tellsItsPlace = code.filter((file) => /new URL\([^)]*import\.meta\.url/.test(file.text))
  expect(tellsItsPlace.map(({ name }) => name)).toEqual(['paths.ts'])
})
