// Every bound of `budgets.ts` is enforced somewhere, and tried somewhere.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { budgets } from '../../src/budgets.js'

const server = fileURLToPath(new URL('../..', import.meta.url))

const read = (folder: string) =>
  readdirSync(join(server, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ name: `${folder}/${name}`, text: readFileSync(join(server, folder, name), 'utf8') }))

const files = [...read('src'), ...read('test')].filter(
  ({ name }) => !/(^src|house)\/budgets(-of-data|\.test)?\.ts$/.test(name),
)
const isTest = ({ name }: { name: string }) => /\.test\.ts$/.test(name)

const leaves = Object.entries(budgets).flatMap(([group, bounds]) =>
  Object.entries(bounds).map(([name, value]) => ({ group, name, value: value as Bound })),
)

/** A number, or the numbers of one line. */
type Bound = number | { readonly [name: string]: Bound }

const isPositive = (bound: Bound): boolean =>
  typeof bound === 'number' ? bound > 0 : Object.values(bound).every(isPositive)

/** `budgets.group.name`; or the name somewhere beside the group as a whole, as it is taken out of it. */
const names = (text: string, group: string, name: string): boolean =>
  text.includes(`budgets.${group}.${name}`) ||
  (new RegExp(`budgets\\.${group}(?![\\w.])`).test(text) && new RegExp(`\\b${name}\\b`).test(text))

/** All of the group is handed on, to whoever takes it apart. */
const handsOn = (text: string, group: string): boolean =>
  new RegExp(`\\.\\.\\.\\w+ \\}[^=]*= budgets\\.${group}[\n)]`).test(text)

const unnamed = (among: typeof files): string[] =>
  leaves
    .filter(({ group, name }) => !among.some(({ text }) => names(text, group, name) || handsOn(text, group)))
    .map(({ group, name }) => `budgets.${group}.${name}`)

describe('budgets', () => {
  it('are positive numbers', () => {
    expect(leaves.length).toBeGreaterThan(20)
    expect(leaves.filter(({ value }) => !isPositive(value))).toEqual([])
  })

  it('are enforced: each is taken by the program', () => {
    expect(unnamed(files.filter((file) => !isTest(file)))).toEqual([])
  })

  it('are tried: each is named by a test', () => {
    expect(unnamed(files.filter(isTest))).toEqual([])
  })
})
