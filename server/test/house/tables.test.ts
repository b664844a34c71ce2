// A table that is asked by a word from outside is a Map, or is asked with Object.hasOwn: a plain object also answers to
// `constructor` and `__proto__`.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const source = fileURLToPath(new URL('../../src', import.meta.url))

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !/\.test\.ts$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(source, name), 'utf8') }))

/** Tables whose keys are any texts, as they are declared at the top of a file. */
const declaration = /^(?:export )?const (\w+): (?:Readonly<)?(?:Partial<)?Record<(string|Kind)\b.*= \{/gm

/** The lines that ask a table by something that is not written there. */
const askedIn = (text: string, table: string): string[] =>
  text
    .split('\n')
    .filter((line) => new RegExp(`(?<![\\w.])${table}\\[(?!['"\\d])`).test(line))
    // A pattern has found the character, or the table was asked whether it has the word.
    .filter((line) => !line.includes('.replace(') && !line.includes(`Object.hasOwn(${table}, `))

/** Words that are ours by then. */
const ours = new Set([
  // Of a schema that the validator has read.
  'platform/http/validation.ts typeMessages',
  'platform/http/validation.ts formatMessages',
  // Of a list in the same file.
  'features/data/selection/filters.ts descriptions',
  'features/imports/rebuild.ts columnNames',
  // Checked with Object.hasOwn by the parser of the expression.
  'formats/plan/evaluate.ts calls',
  // Codes of the system.
  'platform/outbound/errors.ts words',
  'platform/db/embedded/settings.ts defaults',
])

describe('tables', () => {
  it('are never plain objects that are asked by a word from outside', () => {
    const found = files.flatMap(({ name, text }) =>
      [...text.matchAll(declaration)].flatMap(([, table = '']) =>
        askedIn(text, table).length > 0 && !ours.has(`${name} ${table}`) ? [`${name}: ${table}`] : [],
      ),
    )
    expect(found).toEqual([])
  })

  it('finds one where there is one', () => {
    const text = 'const kinds: Readonly<Record<string, number>> = { a: 1 }\nconst of = (word: string) => kinds[word]\n'
    const [[, table = ''] = []] = [...text.matchAll(declaration)]
    expect(askedIn(text, table)).toHaveLength(1)
    expect(askedIn("const x = kinds['a']", 'kinds')).toEqual([])
    expect(askedIn('Object.hasOwn(kinds, word) ? kinds[word] : 0', 'kinds')).toEqual([])
  })
})
