// Cells that show something else than what is stored, looked up on their way into a file: labels for choices, addresses for
// files. A list of 100,000 labels is a map here, and would be megabytes in a statement, once for each column.
import { budgets } from '../../../budgets.js'
import type { Column } from '../../../formats/columns/index.js'
import type { Labels } from './choice-words.js'

interface Labelled {
  readonly labels: Labels
  readonly isList: boolean
}

export type ShownAs = Labelled | 'address'

export interface Showing {
  /** What names stand for, unless the database has looked it up. */
  readonly labels: Labels | undefined
  /** Names of files are to become their addresses, and the database has not done it for all of them. */
  readonly hasAddresses: boolean
  /** The column of a choice shows its name, or its label. */
  readonly isNamed: boolean
}

type Choice = (Column & { kind: 'choice' })['choice']

/** Whether an answer is names with a blank between them. */
export const isList = (type: string): boolean => type === 'select_multiple' || type === 'rank'

/** The longest label of a choice that has a column: such labels stand in the statement, once for each column. */
const shortLabel = 100

/** What stands in the column of a choice that is taken. */
export const wordOf = (choice: Choice, labels: Labels | undefined): string => {
  const label = labels?.byName.get(choice.name)
  return label === undefined || label.length > shortLabel ? choice.name : label
}

export const shownAs = (column: Column, { labels, hasAddresses, isNamed }: Showing): ShownAs | undefined => {
  const { kind, slot } = column
  if (kind === 'part') return undefined
  if (kind === 'choice') {
    const isWhole = !isNamed || labels?.byName.get(column.choice.name) === wordOf(column.choice, labels)
    return isWhole ? undefined : labels && { labels, isList: false }
  }
  if (slot.kind === 'media') return hasAddresses ? 'address' : undefined
  return labels && { labels, isList: isList(slot.type) }
}

const { labelledCharacters, labelCharacters } = budgets.tables

/** Undefined where it would be longer. */
const labelsOfList = (text: string, { byName }: Labels, mostCharacters: number): string | undefined => {
  const words = text.split(' ')
  let characters = 0
  for (const [place, name] of words.entries()) {
    const label = byName.get(name) ?? name
    words[place] = label
    characters += label.length
    if (characters > mostCharacters) return undefined
  }
  return words.join(', ')
}

const shownText = (
  text: string,
  { labels, isList: isOfNames }: Labelled,
  mostCharacters: number,
): string | undefined => {
  if (isOfNames) return labelsOfList(text, labels, mostCharacters)
  const label = labels.byName.get(text)
  return label === undefined || label.length > mostCharacters ? undefined : label
}

type Cells = (string | null)[]

/** Changes the cells of a row; undefined where no column shows labels. */
export const fillingOf = (
  columns: readonly { readonly shown?: ShownAs | undefined }[],
): ((cells: Cells) => void) | undefined => {
  const labelled = columns.flatMap(({ shown }, place) =>
    shown === undefined || shown === 'address' ? [] : [{ place, shown }],
  )
  if (labelled.length === 0) return undefined
  return (cells) => {
    let charactersLeft: number = labelCharacters
    for (const { place, shown } of labelled) {
      const text = cells[place] ?? null
      if (text === null || text.length > labelledCharacters) continue
      // An answer without names is none.
      const label = text === '' && shown.isList ? null : shownText(text, shown, charactersLeft)
      if (label === undefined) continue
      cells[place] = label
      charactersLeft -= label?.length ?? 0
    }
  }
}
