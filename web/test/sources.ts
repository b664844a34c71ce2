// The application's own files, for tests that read them.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Source {
  /** From `src`: `pages/home/home.vue`. */
  readonly name: string
  readonly text: string
}

const folder = fileURLToPath(new URL('../src', import.meta.url))

export const sources: readonly Source[] = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((name) => join(folder, name))
  .filter((file) => statSync(file).isFile() && /\.(ts|vue|css|js)$/.test(file))
  .map((file) => ({ name: relative(folder, file).replaceAll('\\', '/'), text: readFileSync(file, 'utf8') }))

export const importsOf = ({ name, text }: Source): string[] =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].flatMap(([, path = '']) => {
    if (path.startsWith('@/')) return [path.slice(2)]
    return path.startsWith('.') ? [join(name, '..', path).replaceAll('\\', '/')] : []
  })
