import { lastSavedInstance } from '../references/resolver.js'

/** Paths of a form's elements, for turning resolved paths back into references. */
export type KnownPaths = ReadonlySet<string>

const lastSaved = new RegExp(`^instance\\('${lastSavedInstance}'\\)(/.*)$`)

/** The absolute path that a path means, seen from an element. */
export const absolutePath = (path: string, context: string): string => {
  const bare = path.replace(/^current\(\)\//, '')
  if (bare.startsWith('/')) return bare
  const steps = context.split('/')
  for (const step of bare.split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '.') steps.push(step)
  }
  return steps.join('/')
}

const leaf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

const reference = (path: string, context: string, known: KnownPaths): string | undefined => {
  const saved = lastSaved.exec(path)
  if (saved !== null && known.has(saved[1] ?? '')) return `\${last-saved#${leaf(saved[1] ?? '')}}`
  const absolute = absolutePath(path, context)
  return known.has(absolute) ? `\${${leaf(absolute)}}` : undefined
}

const spacedPath = / ((?:current\(\)\/)?(?:\.\.\/|\/)[^\s[\]()]*|instance\('__last-saved'\)\/[^\s[\]()]*) /g

/** What an author writes for an output: `${name}`, or a path into another instance as it stands. */
export const unresolveOutput = (expression: string, context: string, known: KnownPaths): string => {
  const trimmed = expression.trim()
  const whole = reference(trimmed, context, known)
  if (whole !== undefined) return whole
  if (!/^instance\s*\(/.test(trimmed)) return `\${${trimmed}}`
  return expression.replace(spacedPath, (all, path: string) => reference(path, context, known) ?? all)
}
