// Every statement of the contract has a test that shows it, or promises nothing.
//
// A statement is a sentence of prose, a row of a table or an item of a list. In docs/traceability.md each is quoted in
// the order of the contract, whole or in several rows that together hold all of its words (… stands where it is cut).
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { faultOfTestName } from '../support/named-tests.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const readLines = (path: string) => readFileSync(join(root, path), 'utf8').split('\n')

const contractPath = 'docs/contract/api-v1.md'
const tracePath = 'docs/traceability.md'
const nothingPromised = '– nothing promised'

interface Row {
  quote: string
  tests: string[]
}

const cellsOf = (line: string) =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.replaceAll('\\|', '|').trim())

const isTableLine = (line: string) => line.startsWith('|')
const isTableRule = (line: string | undefined) => /^\|[-:| ]+\|$/.test(line ?? '')

/** The rows below each table's head. */
const isTableRow = (line: string, next: string | undefined) =>
  isTableLine(line) && !isTableRule(line) && !isTableRule(next)

const sentencesOf = (paragraph: string) => paragraph.split(/(?<=\.)\s+(?=[A-Z`{])/)

const statementsOf = (line: string, next: string | undefined): string[] => {
  if (line.trim() === '') return []
  if (isTableLine(line))
    return isTableRow(line, next)
      ? [
          cellsOf(line)
            .join(' | ')
            .replace(/[ |]+$/, ''),
        ]
      : []
  const [, item] = /^(?:- |\d+\. )(.*)$/.exec(line) ?? []
  return item === undefined ? sentencesOf(line.trim()) : [item]
}

/** The contract: part → statements. A part is a heading with those above it, without the title of the document. */
const readContract = (): Map<string, string[]> => {
  const parts = new Map<string, string[]>()
  let section = ''
  let part = ''
  const lines = readLines(contractPath)
  for (const [at, line] of lines.entries()) {
    const [, level = '', heading = ''] = /^(#+) (.*)$/.exec(line) ?? []
    if (level === '##') section = heading
    if (level !== '') part = level === '###' ? `${section} › ${heading}` : heading
    else parts.set(part, [...(parts.get(part) ?? []), ...statementsOf(line, lines[at + 1])])
  }
  return parts
}

/** The table: part → rows. */
const readTrace = (): Map<string, Row[]> => {
  const parts = new Map<string, Row[]>()
  let part = ''
  const lines = readLines(tracePath)
  for (const [at, line] of lines.entries()) {
    part = /^## (.*)$/.exec(line)?.[1] ?? part
    if (!isTableRow(line, lines[at + 1])) continue
    const [quote = '', tests = ''] = cellsOf(line)
    const row = { quote: quote.replace(/^… ?| ?…$/g, ''), tests: tests.split('<br>').map((one) => one.trim()) }
    parts.set(part, [...(parts.get(part) ?? []), row])
  }
  return parts
}

const contract = readContract()
const trace = readTrace()
/** What the server does of its own accord has tests too; its statements are its own. */
const isBeyond = (part: string) => part.startsWith('Beyond the contract')
const allRows = [...trace].flatMap(([part, rows]) => rows.map((row) => ({ part, ...row })))

/** Statements of a part of which some words are in no row. Rows are consumed in the order of the contract. */
const uncovered = (statements: string[], rows: Row[]): string[] => {
  const known = rows.filter(({ quote }) => statements.some((statement) => statement.includes(quote)))
  const missing: string[] = []
  for (const statement of statements) {
    let rest = statement
    let left = ''
    for (let quote = known[0]?.quote; quote !== undefined && rest.includes(quote); quote = known[0]?.quote) {
      const at = rest.indexOf(quote)
      left += rest.slice(0, at)
      rest = rest.slice(at + quote.length)
      known.shift()
    }
    if (/[\p{L}\p{N}]/u.test(left + rest)) missing.push(statement)
  }
  return missing
}

describe('docs/traceability.md', () => {
  it('has rows for every statement of the contract, with all of its words', () => {
    const toAdd = [...contract].flatMap(([part, statements]) =>
      uncovered(statements, trace.get(part) ?? []).map(
        (statement) => `Add to “${part}” of ${tracePath}, in the order of the contract: ${statement}`,
      ),
    )
    expect([...contract.values()].flat().length).toBeGreaterThan(250)
    expect(toAdd).toEqual([])
  })

  it('quotes the contract, and nothing else', () => {
    const unknown = allRows.filter(
      ({ part, quote }) =>
        quote === '' || !(isBeyond(part) || contract.get(part)?.some((statement) => statement.includes(quote))),
    )
    expect(unknown.map(({ part, quote }) => `Not in “${part}” of ${contractPath}: ${quote}`)).toEqual([])
  })

  it('names tests that exist', () => {
    const named = allRows.flatMap(({ tests }) => tests.filter((test) => !test.startsWith('–')))
    expect(named.length).toBeGreaterThan(100)
    expect([...new Set(named.map(faultOfTestName))].filter((fault) => fault !== undefined)).toEqual([])
  })

  it('names tests in every row, except where the contract leaves the matter open', () => {
    const faulty = allRows.filter(({ quote, tests }) => {
      if (tests.length === 1 && tests[0] === nothingPromised) return !/not shown|^This document /.test(quote)
      return tests.some((test) => test === '' || test.startsWith('–'))
    })
    expect(faulty.map(({ part, quote }) => `Name a test in “${part}” for: ${quote}`)).toEqual([])
  })
})

describe('the acceptance suite', () => {
  it('knows nothing of the server’s source', () => {
    const folder = 'server/test/acceptance'
    const files = readdirSync(join(root, folder)).map((name) => ({
      name,
      text: readLines(join(folder, name)).join('\n'),
    }))
    expect(files.filter(({ name }) => name.endsWith('.test.ts')).length).toBeGreaterThan(5)
    const imports = files.flatMap(({ name, text }) =>
      [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, target = '']) => join(dirname(name), target)),
    )
    expect(imports.filter((target) => !/^(\.\.\/support\/[\w-]+|[\w-]+)\.js$/.test(target))).toEqual([])
  })
})
