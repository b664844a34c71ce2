// Tests by their names, for documents that say what shows a statement: `path › describe › title`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

const literal = /(['"`])((?:\\.|(?!\1)[^\\])*)\1/.source

/** `describe › title` of every test in a file; a title of it.each is its template. */
const testsIn = (path: string): Set<string> => {
  const text = readFileSync(join(root, path), 'utf8')
  const names = new Set<string>()
  let outer: { indent: number; name: string }[] = []
  for (const match of text.matchAll(/^( *)(describe|it)(\.each)?\b/gm)) {
    const [opening, spaces = '', kind, each] = match
    const call = text.slice(match.index + opening.length)
    const pattern = each === undefined ? `^(?:\\.skipIf\\(\\w+\\))?\\(\\s*${literal}` : `\\)\\(\\s*${literal}`
    const name = (new RegExp(pattern).exec(call)?.[2] ?? '').replace(/\\(.)/g, '$1')
    outer = outer.filter(({ indent }) => indent < spaces.length)
    if (kind === 'describe') outer.push({ indent: spaces.length, name })
    else names.add([...outer.map((one) => one.name), name].join(' › '))
  }
  return names
}

const known = new Map<string, Set<string>>()

/** Undefined when there is such a test, else what is wrong. */
export const faultOfTestName = (test: string): string | undefined => {
  const [path = '', ...names] = test.split(' › ')
  if (!/^(server|web|xlsform)\/\S+\.test\.ts$/.test(path)) return `“${test}” is no path › describe › title`
  try {
    const titles = known.get(path) ?? testsIn(path)
    known.set(path, titles)
    return titles.has(names.join(' › ')) ? undefined : `${path} has no test “${names.join(' › ')}”`
  } catch {
    return `${path} does not exist`
  }
}
