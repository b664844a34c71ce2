// No pattern that backtracks is run over text that others sent. Every pattern of the source is found, and proved to take
// linear time whatever the text; those of the database are listed.

import { join } from 'node:path'
import { createContext, Script } from 'node:vm'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Field } from '../../src/formats/form/index.js'
import { patternOf } from '../../src/formats/plan/index.js'
import { growthFault } from '../support/growth.js'
import { nearMissesOf } from '../support/patterns/near-misses.js'
import { growthOf } from '../support/patterns/proof.js'
import { type Pattern, readSource, repository } from '../support/patterns/source.js'

const { literals, made, schemas, statements } = readSource()

/** What `new RegExp` is called with while these files are loaded. */
const madePatterns: Pattern[] = []
const plainRegExp = RegExp

const recorder = new Proxy(plainRegExp, {
  construct(target, [source, flags = '']: [string, string?]) {
    const caller = new Error().stack?.split('\n')[2] ?? ''
    const file = [...made.keys()].find((one) => caller.includes(one))
    if (file !== undefined) madePatterns.push({ place: file, source, flags })
    return new target(source, flags)
  },
})

beforeAll(async () => {
  vi.resetModules()
  vi.stubGlobal('RegExp', recorder)
  try {
    for (const file of made.keys()) await import(join(repository, file))
  } finally {
    vi.unstubAllGlobals()
  }
})
afterAll(() => vi.resetModules())

/** Those of the validator's formats that are used. */
const formats = (['email', 'uri', 'date-time'] as const).flatMap((name): Pattern[] => {
  const format: unknown = fullFormats[name]
  return format instanceof RegExp ? [{ place: `ajv-formats ${name}`, source: format.source, flags: format.flags }] : []
})

const all = (): Pattern[] => [...literals, ...schemas, ...madePatterns, ...formats]

const faultOf = ({ source, flags }: Pattern): string | undefined => {
  try {
    return growthOf(source, flags)
  } catch (error) {
    return String(error)
  }
}

describe('the proof', () => {
  it.each([
    [/^(a+)+$/, 'exponential'],
    [/^(a|a)*$/, 'exponential'],
    [/^(?:a?b?)*$/, 'exponential'],
    [/^(x{1,100}){1,100}y/, 'exponential'],
    [/^[-+]\d*\.?\d+(?:[eE][-+]?\d+)?(?:\s+[-+]?\d*\.?\d+(?:[eE][-+]?\d+)?)*\s*$/, 'exponential'],
    [/^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/, 'polynomial'],
    [/^\s*a?\s*$/, 'polynomial'],
    [/\s+$/, 'polynomial'],
    [/<b>.*<\/b>/, 'polynomial'],
    [/a[^b]*b|a/y, 'polynomial'],
    [/a(?:[ac]*d)?/g, 'polynomial'],
    [/^\d{1,200}\d{1,200}$/, 'polynomial'],
    [/^ *\|/m, undefined],
    [/^\s*\|/m, 'polynomial'],
  ])('sees how %s grows', (pattern, growth) => {
    const fault = growthOf(pattern.source, pattern.flags)
    if (growth === undefined) expect(fault).toBeUndefined()
    else expect(fault).toMatch(new RegExp(`^${growth}`))
  })

  it.each([/\s+/g, /^\d+(?:\.\d*)?$/, /"[^"]*"?/g, /\.[^.]*$/, /^(?:a+b)*$/, /(?:ab)+/, /^[a-z]{1,200}@[A-Z]{1,200}$/])(
    'sees that %s does not',
    ({ source, flags }) => {
      expect(growthOf(source, flags)).toBeUndefined()
    },
  )

  it('says where it cannot tell', () => {
    expect(() => growthOf('(?=.*a)b', '')).toThrow('without a bound')
    expect(() => growthOf('(a*)b\\1', '')).toThrow('without a bound')
  })
})

describe('patterns in JavaScript', () => {
  it('are all found', () => {
    expect(literals.length).toBeGreaterThan(250)
    expect(schemas.length).toBeGreaterThan(1)
    for (const [file, count] of made) {
      expect([file, madePatterns.filter(({ place }) => place === file).length >= count]).toEqual([file, true])
    }
  })

  it('take linear time, whatever the text', { timeout: 120_000 }, () => {
    const faults = all().flatMap((pattern) => {
      const fault = faultOf(pattern)
      return fault === undefined ? [] : [`${pattern.place} /${pattern.source}/${pattern.flags} ${fault}`]
    })
    expect(faults).toEqual([])
  })

  it('take four times as long for long near misses that are four times as long', { timeout: 300_000 }, async () => {
    const context = createContext({ pattern: /x/, text: '' })
    // A pattern that would take for ever is stopped.
    const script = new Script('pattern.lastIndex = 0; pattern.global ? text.replace(pattern, "") : pattern.test(text)')
    const work = (source: RegExp) => (text: string) => {
      Object.assign(context, { pattern: source, text })
      return script.runInContext(context, { timeout: 20_000 })
    }
    const faults: string[] = []
    let tried = 0
    const known = new Map(all().map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern]))
    for (const [name, { source, flags, place }] of known) {
      const run = work(new RegExp(source, flags))
      for (const miss of nearMissesOf(source, flags)) {
        tried += 1
        const fault = await growthFault(500, miss, run).then((one) => one ?? growthFault(60_000, miss, run))
        if (fault === undefined) continue
        faults.push(`${place} ${name} ${JSON.stringify(miss(20))} ${fault}`)
        break
      }
    }
    expect(faults).toEqual([])
    expect(tried).toBeGreaterThan(1000)
  })

  it('are seen to grow by the same near misses where they do', { timeout: 120_000 }, async () => {
    const slow = /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/
    let fault: string | undefined
    // The first size is enough where a machine is as slow as most; each next takes four times as long.
    for (const size of [6000, 12_000, 24_000]) {
      for (const miss of nearMissesOf(slow.source, '')) {
        fault ??= await growthFault(size, miss, (text) => slow.test(text))
      }
    }
    expect(fault).toBeDefined()
  })
})

/** What PostgreSQL matches: fixed patterns, by an engine that walks through a text once; none is a caller's. */
const databasePatterns: Readonly<Record<string, readonly string[]>> = {
  'server/migrations/0010.do.data.sql': [
    String.raw`~ '^[+-]?(\d{1,100}(\.\d{0,100})?|\.\d{1,100})([eE][+-]?\d{1,3})?$'`,
    String.raw`~ '^\d{4}-\d\d-\d\d($|[T ])'`,
    String.raw`!~ '^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d(:?\d\d)?)?)?$'`,
    "~ '[Z+-]'",
  ],
  'server/migrations/0013.do.long-numbers.sql': [
    String.raw`~ '^[+-]?(\d{1,100}(\.\d{0,100})?|\.\d{1,100})([eE][+-]?\d{1,3})?$'`,
  ],
  'server/migrations/0016.do.mandates.sql': ["like 'xform%'", "like 'dataview%'"],
  'server/migrations/0023.do.places.sql': [
    String.raw`~ '^-?\d{1,3}(\.\d{1,20})? -?\d{1,3}(\.\d{1,20})?( |$)'`,
    'regexp_match(',
    String.raw`~ '^[-+]?(\d{1,100}(\.\d{0,100})?|\.\d{1,100})([eE][-+]?\d{1,3})?$'`,
  ],
  'server/migrations/0036.do.answer-indexes.sql': [
    String.raw`!~ '^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,100})?)?(Z|[+-]\d\d(:?\d\d)?)?)?$'`,
    "~ '([02468][048]|[13579][26])(00)?$'",
    "!~ '([02468][1235679]|[13579][01345789])00$'",
    String.raw`!~ '^24:00(:00(\.0+)?)?([Z+-]|$)'`,
    "~ '^:'",
    String.raw`!~ '^60(\.0+)?([Z+-]|$)'`,
    String.raw`~ '[+-](1[6-9]|[2-9]\d|\d\d:?[6-9])'`,
    "~ '[Z+-]'",
  ],
  'server/src/features/aggregation/fields.queries.ts': [`like '[{"%'`],
  // Chosen from a table of kinds of files, never written by the caller.
  'server/src/features/attachments/attachments.queries.ts': ['like any( $', "like 'image/%'"],
  // The names that the program gives them.
  'server/src/features/data/indexes/making.queries.ts': ['~ $', 'substring(stxname from'],
  // Between two wildcards, a text in which nothing is one: it is looked for as it stands.
  'server/src/features/data/selection/conditions.queries.ts': ["like '%'"],
  'server/src/features/data/tables/cells.queries.ts': ["like '%,%'", "like '% %'"],
  'server/src/features/data/removal/deletion.queries.ts': ["like 'image/%'"],
  'server/src/features/linked-data/linked-data.queries.ts': ["~ '^[0-9]{1,9}$'", "like 'xform%'", "like 'dataview%'"],
  // `patternOf` below.
  'server/src/features/plans/plans.queries.ts': ['!~ wanted.pattern'],
  'server/src/features/submissions/received-files.queries.ts': ["like 'image/%'"],
}

const operators =
  /(?:!?~~?\*?|\b(?:i?like|similar\s+to|like_regex)\b)\s*(?:any\(\s*)?(?:'[^']*'|\$|[\w.]+)|\bregexp_\w+\(|\bsubstring\([^)]*\bfrom\b/gi

describe('patterns in PostgreSQL', () => {
  it('are these and no others, and none of them is a caller’s', () => {
    const found: Record<string, string[]> = {}
    for (const { file, text } of statements) {
      for (const [match] of text.matchAll(operators)) found[file] = [...(found[file] ?? []), match.replace(/\s+/g, ' ')]
    }
    const unique = Object.fromEntries(Object.entries(found).map(([file, texts]) => [file, [...new Set(texts)]]))
    expect(unique).toEqual(databasePatterns)
  })

  it('take linear time even for an engine that backtracks', () => {
    const fixed = Object.values(databasePatterns).flatMap((texts) =>
      texts.filter((text) => text.includes("~ '")).map((text) => text.slice(text.indexOf("'") + 1, -1)),
    )
    const kinds = ['integer', 'decimal', 'date', 'datetime', 'time', 'geo', 'media', 'text'] as const
    const ofTypes = [...kinds, 'geotrace'].map((name) => {
      const kind = name === 'geotrace' ? 'geo' : name
      return patternOf({ kind, type: name } as Field, { kind: 'text' } as Field)
    })
    const patterns = [...fixed, ...ofTypes.filter((pattern) => pattern !== null)]
    expect(patterns.length).toBeGreaterThan(10)
    expect(patterns.flatMap((pattern) => growthOf(pattern, '') ?? [])).toEqual([])
  })
})
