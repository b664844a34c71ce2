// Every pattern that the source has, as it is written there.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

export const repository = fileURLToPath(new URL('../../../..', import.meta.url))

export interface Pattern {
  /** File and line. */
  readonly place: string
  readonly source: string
  readonly flags: string
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly regex?: { readonly pattern: string; readonly flags: string }
  readonly callee?: { readonly name?: string }
  readonly tag?: { readonly name?: string }
  readonly quasi?: { readonly quasis: readonly { readonly value: { readonly raw: string } }[] }
  readonly key?: { readonly name?: string; readonly value?: string }
  readonly value?: { readonly value?: unknown }
}

const isCode = (name: string): boolean => name.endsWith('.ts') && !/(\.test|\.d)\.ts$/.test(name)

/** Beside the message for it, which has the same key. */
const isPattern = (value: unknown): boolean => typeof value === 'string' && value.startsWith('^')

const filesBelow = (folder: string, isWanted: (name: string) => boolean): string[] =>
  readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
    .filter(isWanted)
    .map((name) => join(folder, name))
    .sort()

const walk = (value: unknown, visit: (node: Node) => void): void => {
  if (Array.isArray(value)) for (const one of value) walk(one, visit)
  else if (typeof value === 'object' && value !== null) {
    if ('type' in value) visit(value as Node)
    for (const child of Object.values(value)) walk(child, visit)
  }
}

export interface Source {
  readonly literals: readonly Pattern[]
  /** Files that make patterns of parts, with how many of them. */
  readonly made: ReadonlyMap<string, number>
  /** Strings beside `pattern:`, which JSON schemas have. */
  readonly schemas: readonly Pattern[]
  /** Texts of SQL. */
  readonly statements: readonly { readonly file: string; readonly text: string }[]
}

class Reader {
  readonly literals: Pattern[] = []
  readonly schemas: Pattern[] = []
  readonly made = new Map<string, number>()
  readonly statements: { file: string; text: string }[] = []

  read(file: string): void {
    const text = readFileSync(join(repository, file), 'utf8')
    walk(parseSync(file, text, { lang: 'ts' }).program, (node) => {
      this.#pattern(node, file, `${file}:${text.slice(0, node.start).split('\n').length}`)
      if (node.type === 'TaggedTemplateExpression' && node.tag?.name === 'sql') {
        this.statements.push({ file, text: node.quasi?.quasis.map(({ value }) => value.raw).join(' $ ') ?? '' })
      }
    })
  }

  #pattern({ type, regex, callee, key, value }: Node, file: string, place: string): void {
    if (regex !== undefined) this.literals.push({ place, source: regex.pattern, flags: regex.flags })
    if (['NewExpression', 'CallExpression'].includes(type) && callee?.name === 'RegExp') {
      this.made.set(file, (this.made.get(file) ?? 0) + 1)
    }
    if (type === 'Property' && key?.name === 'pattern' && isPattern(value?.value)) {
      this.schemas.push({ place, source: value?.value as string, flags: 'u' })
    }
  }
}

export const readSource = (): Source => {
  const reader = new Reader()
  for (const file of [...filesBelow('server/src', isCode), ...filesBelow('xlsform/src', isCode)]) reader.read(file)
  for (const file of filesBelow('server/migrations', (name) => name.endsWith('.sql'))) {
    const text = readFileSync(join(repository, file), 'utf8').replace(/--.*/g, '')
    reader.statements.push({ file, text })
  }
  return reader
}
