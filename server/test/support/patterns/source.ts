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

const isCode = (name: string): boolean => name.endsWith('.ts') && !/(\.test|\.d|[/\\]testing)\.ts$/.test(name)

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

export const readSource = (): Source => {
  const literals: Pattern[] = []
  const schemas: Pattern[] = []
  const made = new Map<string, number>()
  const statements: { file: string; text: string }[] = []
  for (const file of [...filesBelow('server/src', isCode), ...filesBelow('xlsform/src', isCode)]) {
    const text = readFileSync(join(repository, file), 'utf8')
    walk(parseSync(file, text, { lang: 'ts' }).program, (node) => {
      const place = `${file}:${text.slice(0, node.start).split('\n').length}`
      if (node.regex !== undefined) literals.push({ place, source: node.regex.pattern, flags: node.regex.flags })
      if (['NewExpression', 'CallExpression'].includes(node.type) && node.callee?.name === 'RegExp') {
        made.set(file, (made.get(file) ?? 0) + 1)
      }
      if (node.type === 'Property' && node.key?.name === 'pattern' && isPattern(node.value?.value)) {
        schemas.push({ place, source: node.value?.value as string, flags: 'u' })
      }
      if (node.type === 'TaggedTemplateExpression' && node.tag?.name === 'sql') {
        statements.push({ file, text: node.quasi?.quasis.map(({ value }) => value.raw).join(' $ ') ?? '' })
      }
    })
  }
  for (const file of filesBelow('server/migrations', (name) => name.endsWith('.sql'))) {
    const text = readFileSync(join(repository, file), 'utf8').replace(/--.*/g, '')
    statements.push({ file, text })
  }
  return { literals, made, schemas, statements }
}
