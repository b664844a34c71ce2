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
    const expression = resolver.expression({ ...source, text: text.slice(match.index, end) }, node, rules)
    parts.push(`<output${attribute('value', expression)}/>`)
    position = end
  }
  if (parts.length === 0) return escapeText(text)
  parts.push(escapeText(text.slice(position)))
  return ` ${parts.join('')} `
}

const pathEnd = (text: string, start: number): number => {
  let depth = 0
  let quote = ''
  let position = start
  for (; position < text.length; position += 1) {
    const character = text[position] ?? ''
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (depth > 0 && (character === '"' || character === "'")) quote = character
    else if (character === '[') depth += 1
    else if (character === ']') depth -= 1
    else if (depth <= 0 && /\s/.test(character)) break
  }
  // A sentence's full stop is not part of the path.
  while (position > start && /[.,;:!?)"']/.test(text[position - 1] ?? '')) position -= 1
  return position
}
