// Names of lists: where they stand and where they are used.
import { otherSuffix, rowKind } from '../survey/row-kinds.js'
import type { Column } from '../tables/headers.js'
import { collapsed } from '../tables/raw-cells.js'
import type { SheetName } from '../workbook/workbook.js'

/** The sheet on which a list stands. */
export type ListHome = 'choices' | 'external_choices' | 'osm' | 'entities'

/** The text of a cell as it is to be; `column` is undefined where it has no header. */
export type CellChange = (text: string, column: Column | undefined, sheet: SheetName) => string

const instanceCall = /\binstance\s*\(\s*(?:'[^']*'|"[^"]*")\s*\)/g
const pulldataCall = /\bpulldata\s*\(\s*(?:'[^']*'|"[^"]*")/g
const listParameter = /((?:tick_labelset|reference-geometry)\s*=\s*)([^\s,;]+)/gi

/** The list that a type cell takes from this sheet. Entities reach a form as a file of their list's name. */
const listIn = (type: string, home: ListHome): string | null => {
  const kind = rowKind(type)
  if (kind.kind === 'osm') return home === 'osm' ? kind.list : null
  if (kind.kind === 'begin') return home === 'choices' ? kind.list : null
  if (kind.kind !== 'select') return null
  const homeOf = { one: 'choices', multiple: 'choices', rank: 'choices', external: 'external_choices' } as const
  if (kind.command === 'one-file' || kind.command === 'multiple-file')
    return home === 'entities' && kind.list.endsWith('.csv') ? kind.list.slice(0, -'.csv'.length) : null
  return homeOf[kind.command] === home ? kind.list : null
}

export const listChange = (from: string, to: string, home: ListHome): CellChange => {
  const suffix = home === 'entities' ? '.csv' : ''
  const inType = (type: string): string => (listIn(collapsed(type), home) === from ? withList(type, to + suffix) : type)
  const inOwnRow = (name: string): string => (name.trim() === from ? name.replace(from, () => to) : name)
  const inSaveTo = (text: string): string =>
    text.trimStart().startsWith(`${from}#`) ? text.replace(from, () => to) : text
  const inParameters = (text: string): string =>
    text.replace(listParameter, (whole, start: string, list: string) => (list === from ? start + to : whole))
  const inCalls = (text: string): string => {
    const change = (call: string): string => (quotedIn(call) === from ? withQuoted(call, to) : call)
    const instances = text.replace(instanceCall, change)
    return home === 'entities' ? instances.replace(pulldataCall, change) : instances
  }
  // The lists of the other two have no instance.
  const hasInstance = home === 'choices' || home === 'entities'
  const ofSurvey: Readonly<Record<string, (text: string) => string>> = {
    type: inType,
    ...(hasInstance && { parameters: inParameters }),
    ...(home === 'entities' && { 'bind::entities:saveto': inSaveTo }),
  }
  return (text, column, sheet) => {
    if (!text.includes(from)) return text
    if (sheet === home && column?.key === 'list_name') return inOwnRow(text)
    const change = sheet === 'survey' ? ofSurvey[column?.key ?? ''] : undefined
    return change?.(text) ?? (hasInstance ? inCalls(text) : text)
  }
}

const quotedIn = (call: string): string => /'[^']*'|"[^"]*"/.exec(call)?.[0].slice(1, -1) ?? ''

/** In the same quotes, or in the others where the name has these. */
const withQuoted = (call: string, to: string): string =>
  call.replace(/'[^']*'|"[^"]*"/, (whole) => {
    const [own = "'"] = whole
    const quote = to.includes(own) ? (own === "'" ? '"' : "'") : own
    return `${quote}${to}${quote}`
  })

/** A type cell with another list; blanks stay as they are. */
const withList = (type: string, list: string): string => {
  const words = [...type.matchAll(/\S+/g)]
  const suffix = otherSuffix.exec(collapsed(type))?.[0].trim().split(' ').length ?? 0
  const word = words[words.length - 1 - suffix]
  if (word === undefined) return type
  return type.slice(0, word.index) + list + type.slice(word.index + word[0].length)
}
