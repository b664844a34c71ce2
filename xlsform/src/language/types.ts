import { type RowKind, rowKind } from '../survey/row-kinds.js'
import { type QuestionType, questionTypes } from './question-types.js'

const byName = new Map(questionTypes.map((type) => [type.name, type]))

const selectNames = {
  one: 'select_one',
  multiple: 'select_multiple',
  rank: 'rank',
  external: 'select_one_external',
  'one-file': 'select_one_from_file',
  'multiple-file': 'select_multiple_from_file',
} as const

const nameOf = (kind: RowKind): string | null => {
  switch (kind.kind) {
    case 'plain':
      return kind.rule.name
    case 'select':
      return selectNames[kind.command]
    case 'begin':
    case 'end':
      return `${kind.kind}_${kind.container}`
    case 'osm':
      return 'osm'
    default:
      return null
  }
}

export interface TypeCell {
  /** Null for what is understood and not offered any more. */
  readonly type: QuestionType | null
  readonly list: string | null
  readonly hasOther: boolean
}

/** What a type cell says, in whatever spelling; null where the compiler does not know it either. */
export const readTypeCell = (text: string): TypeCell | null => {
  const kind = rowKind(text.trim().replace(/\s+/g, ' '))
  if (kind.kind === 'unknown') return null
  return {
    type: byName.get(nameOf(kind) ?? '') ?? null,
    list: 'list' in kind ? kind.list : null,
    hasOther: kind.kind === 'select' && kind.hasOther,
  }
}
