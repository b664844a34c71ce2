// Conditions that can be chosen instead of written: one question, how it compares, and a value. Others stay expressions.

export const comparisons = ['is', 'isNot', 'has', 'hasNot', 'atLeast', 'atMost', 'answered'] as const
export type Comparison = (typeof comparisons)[number]

export interface Condition {
  readonly question: string
  readonly comparison: Comparison
  readonly value: string
}

const signs = new Map<string, Comparison>([
  ['=', 'is'],
  ['!=', 'isNot'],
  ['>=', 'atLeast'],
  ['<=', 'atMost'],
])

const unquoted = (text: string): string | undefined => {
  if (/^-?\d+(\.\d+)?$/.test(text)) return text
  const quote = text[0]
  const isText = text.length >= 2 && (quote === "'" || quote === '"') && text.endsWith(quote)
  const inner = text.slice(1, -1)
  return isText && !inner.includes(quote) ? inner : undefined
}

/** Undefined: it says more than can be chosen. */
export const readCondition = (text: string): Condition | undefined => {
  const trimmed = text.trim()
  const compared = /^\$\{([^{}]+)\}\s*(!=|>=|<=|=)\s*(\S.*)$/.exec(trimmed)
  if (compared !== null) {
    const [, question = '', sign = '', rest = ''] = compared
    const value = unquoted(rest.trim())
    if (value === undefined) return undefined
    if (value === '') return sign === '!=' ? { question, comparison: 'answered', value: '' } : undefined
    return { question, comparison: signs.get(sign) ?? 'is', value }
  }
  const isNegated = trimmed.startsWith('not(') && trimmed.endsWith(')')
  const chosen = /^selected\(\s*\$\{([^{}]+)\}\s*,\s*([^,()]+)\)$/.exec(
    isNegated ? trimmed.slice(4, -1).trim() : trimmed,
  )
  if (chosen === null) return undefined
  const value = unquoted((chosen[2] ?? '').trim())
  return value === undefined
    ? undefined
    : { question: chosen[1] ?? '', comparison: isNegated ? 'hasNot' : 'has', value }
}

const quoted = (value: string): string => (value.includes("'") ? `"${value.replaceAll('"', '')}"` : `'${value}'`)

export const writeCondition = ({ question, comparison, value }: Condition): string => {
  const reference = `\${${question}}`
  const number = /^-?\d+(\.\d+)?$/.test(value) ? value : quoted(value)
  switch (comparison) {
    case 'is':
      return `${reference} = ${quoted(value)}`
    case 'isNot':
      return `${reference} != ${quoted(value)}`
    case 'has':
      return `selected(${reference}, ${quoted(value)})`
    case 'hasNot':
      return `not(selected(${reference}, ${quoted(value)}))`
    case 'atLeast':
      return `${reference} >= ${number}`
    case 'atMost':
      return `${reference} <= ${number}`
    case 'answered':
      return `${reference} != ''`
  }
}

/** What makes sense for a question of this type. */
export const comparisonsFor = (type: string): readonly Comparison[] => {
  if (type === 'select_multiple') return ['has', 'hasNot', 'answered']
  if (type === 'select_one') return ['is', 'isNot', 'answered']
  if (['integer', 'decimal', 'range'].includes(type)) return ['is', 'isNot', 'atLeast', 'atMost', 'answered']
  return ['is', 'isNot', 'answered']
}
