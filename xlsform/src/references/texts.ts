import type { FormNode, Source } from '../survey/node.js'
import { attribute, escapeText } from '../xml/escape.js'
import type { ReferenceRules, Resolver } from './resolver.js'

const special = /\$\{[^{}]*\}?|instance\s*\(\s*(?:'[^']*'|"[^"]*")\s*\)\s*\//g

/**
 * A label, hint or message as XML. References become outputs, and so do paths into secondary instances,
 * which end at the first white space outside a predicate.
 */
export const textXml = (source: Source, node: FormNode, resolver: Resolver, rules: ReferenceRules = {}): string => {
  const { text } = source
  if (!text.includes('${') && !text.includes('instance')) return escapeText(text)
  const parts: string[] = []
  let position = 0
  for (const match of text.matchAll(special)) {
    if (match.index < position) continue
    const end = match[0].startsWith('$') ? match.index + match[0].length : pathEnd(text, match.index + match[0].length)
    parts.push(escapeText(text.slice(position, match.index)))
    const expression = resolver.checkedExpression({ ...source, text: text.slice(match.index, end) }, node, rules)
    parts.push(`<output${attribute('value', expression)}/>`)
    position = end
  }
  if (parts.length === 0) return escapeText(text)
  parts.push(escapeText(text.slice(position)))
  return ` ${parts.join('')} `
}

const pathEnd = (text: string, start: number): number => {
  let end = start
  while (end < text.length && !/\s/.test(text[end] ?? '')) end = text[end] === '[' ? predicateEnd(text, end) : end + 1
  // A sentence's full stop is not part of the path.
  while (end > start && /[.,;:!?)"']/.test(text[end - 1] ?? '')) end -= 1
  return end
}

const bracketOrQuoted = /[[\]]|'[^']*'|"[^"]*"/g

/** The end of the predicate that starts here, those within it and quoted texts skipped. */
const predicateEnd = (text: string, start: number): number => {
  let depth = 0
  bracketOrQuoted.lastIndex = start
  for (let match = bracketOrQuoted.exec(text); match !== null; match = bracketOrQuoted.exec(text)) {
    if (match[0] === '[') depth += 1
    else if (match[0] === ']') depth -= 1
    if (depth === 0) return bracketOrQuoted.lastIndex
  }
  return text.length
}
