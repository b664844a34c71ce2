// The source as text: which files there are, and what they import.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export interface SourceFile {
  /** Below the folder that was read. */
  readonly name: string
  readonly text: string
}

export const sourcesIn = (folder: string): SourceFile[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))

/** Not a test, and not what tests share. */
export const isCode = ({ name }: SourceFile): boolean => !/\.test\.ts$/.test(name)

const importPattern = /(?:import|export)[^'"]*?from\s+'([^']+)'|import\('([^']+)'\)|^import\s+'([^']+)'/gm

/** Our own modules that a file imports, as paths below the same folder: `features/data/index.js`. */
export const importsOf = ({ name, text }: SourceFile): string[] =>
  [...text.matchAll(importPattern)]
    .map(([, statically, dynamically, barely]) => statically ?? dynamically ?? barely ?? '')
    .filter((target) => target.startsWith('.'))
    .map((target) => normalize(join(dirname(name), target)))

/** Files that import themselves through others: at least one circle, as `a.ts → b.ts → a.ts`, where there is any. */
export const circlesIn = (files: readonly SourceFile[]): string[] => {
  const imported = new Map(files.map((file) => [file.name, importsOf(file).map((to) => to.replace(/\.js$/, '.ts'))]))
  const seen = new Set<string>()
  const circles: string[] = []
  const walk = (name: string, path: readonly string[]): void => {
    const start = path.indexOf(name)
    if (start !== -1) circles.push([...path.slice(start), name].join(' → '))
    if (seen.has(name)) return
    seen.add(name)
    for (const next of imported.get(name) ?? []) walk(next, [...path, name])
  }
  for (const { name } of files) walk(name, [])
  return circles
}
