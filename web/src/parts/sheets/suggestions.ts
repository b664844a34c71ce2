// What could be meant by what is being typed into a cell, and what the cell says when it is chosen.
import { type FormColumn, formFunctions, questionTypes, readTypeCell, typingAt } from '@sheaf/xlsform/language'
import { columnsKnown, languagesOf, readHeader } from './columns'
import { columnOf, shapesOf } from './structure'
import { type Place, type Sheet, sheetNamed, textAt, textOf, type Workbook } from './workbook'

export interface Suggestion {
  /** What is offered, as it is written in a cell. */
  readonly name: string
  /** In plain words. */
  readonly words: string
  /** Of a type: for its icon. */
  readonly type?: string
  /** The whole cell with it, and where typing goes on. */
  readonly text: string
  readonly cursor: number
}

export interface Typed {
  readonly book: Workbook
  readonly sheet: Sheet
  readonly place: Place
  readonly text: string
  readonly cursor: number
  /** Plain names of types, in the language of the page. */
  readonly typeWords: (name: string) => string
}

const most = 50

/** What a column holds; nothing for one that the form does not know. */
export const kindOf = (sheet: Pick<Sheet, 'name' | 'columns'>, column: number): FormColumn | undefined => {
  const base = readHeader(sheet.columns[column]?.header ?? '')
    .base.toLowerCase()
    .replace(/^media::/, '')
  return columnsKnown(sheet.name).find(({ name }) => name === base || name === base.replaceAll(' ', '_'))
}

const whole = (name: string, words: string, type?: string): Suggestion => ({
  name,
  words,
  text: name,
  cursor: name.length,
  ...(type !== undefined && { type }),
})

/** Those that begin so come before those that hold it somewhere. */
const fitting = (all: readonly Suggestion[], typed: string): Suggestion[] => {
  const wanted = typed.trim().toLowerCase()
  const rank = ({ name, words }: Suggestion): number => {
    const [a, b] = [name.toLowerCase(), words.toLowerCase()]
    // What is there already comes first: Enter takes it, and nothing longer.
    if (a === wanted) return 0
    if (a.startsWith(wanted)) return 1
    if (b.startsWith(wanted)) return 2
    return a.includes(wanted) || b.includes(wanted) ? 3 : 4
  }
  return all
    .map((one) => [rank(one), one] as const)
    .filter(([at]) => at < 4)
    .sort(([a], [b]) => a - b)
    .slice(0, most)
    .map(([, one]) => one)
}

const textsIn = (book: Workbook, name: string, base: string): string[] => {
  const sheet = sheetNamed(book, name)
  const column = sheet?.columns[columnOf(sheet, base)]
  const texts = sheet?.rows.map((row) => textOf(row, column).trim()) ?? []
  return [...new Set(texts)].filter((text) => text !== '')
}

/** Lists of the form, and those that questions want and that are still to be written. */
export const listsIn = (book: Workbook, home = 'choices'): string[] => {
  const wanted = textsIn(book, 'survey', 'type').flatMap((text) => {
    const cell = readTypeCell(text)
    return cell?.list != null && cell.type?.takes === home ? [cell.list] : []
  })
  return [...new Set([...textsIn(book, home, 'list_name'), ...wanted])]
}

const types = ({ book, text, typeWords }: Typed): Suggestion[] => {
  const plain = questionTypes.map(({ name, takes }) => {
    // Where a list follows, typing goes on behind a blank.
    const suggestion = whole(name, typeWords(name), name)
    return takes === null ? suggestion : { ...suggestion, text: `${name} `, cursor: name.length + 1 }
  })
  const withLists = questionTypes.flatMap(({ name, takes }) =>
    takes === null || takes === 'file'
      ? []
      : listsIn(book, takes).map((list) => whole(`${name} ${list}`, `${typeWords(name)} · ${list}`, name)),
  )
  const hasType = questionTypes.some(({ name, takes }) => takes !== null && text.trimStart().startsWith(`${name} `))
  // With the name of a type that takes one, lists are what is asked for; before it, the types are.
  return hasType ? fitting(withLists, text) : fitting([...plain, ...withLists], text)
}

const references = ({ sheet, book, text, cursor }: Typed, typed: string, start: number, end: number): Suggestion[] => {
  const survey = sheetNamed(book, 'survey') ?? sheet
  const [name, label] = [survey.columns[columnOf(survey, 'name')], survey.columns[columnOf(survey, 'label')]]
  const shapes = shapesOf(survey)
  const tail = text.slice(end)
  const closing = tail.startsWith('}') ? '' : '}'
  const head = text.slice(0, start)
  const opening = head.endsWith('{') || head.endsWith('#') ? '' : '{'
  const seen = new Set<string>()
  const all = survey.rows.flatMap((row, at): Suggestion[] => {
    const own = textOf(row, name).trim()
    if (own === '' || seen.has(own) || shapes[at]?.kind === 'end') return []
    seen.add(own)
    const before = `${head}${opening}${own}${closing}`
    // Behind the brace, whether it was there or not.
    return [
      { name: own, words: textOf(row, label), text: before + tail, cursor: before.length + (closing === '' ? 1 : 0) },
    ]
  })
  return cursor < start ? [] : fitting(all, typed)
}

const functions = ({ text }: Typed, typed: string, start: number, end: number): Suggestion[] => {
  const tail = text.slice(end)
  const all = formFunctions
    .filter(({ name }) => name.startsWith(typed.toLowerCase()))
    .map((one): Suggestion => {
      const isCalled = tail.startsWith('(')
      const call = isCalled ? '' : one.arguments.length === 0 ? '()' : '('
      const before = text.slice(0, start) + one.name + call
      const given = one.arguments.map(
        (argument) => argument.name + (argument.isOptional ? '?' : argument.isRepeated ? '…' : ''),
      )
      return {
        name: one.name,
        words: `(${given.join(', ')})`,
        text: before + tail,
        cursor: before.length + (isCalled ? 1 : 0),
      }
    })
  return all.slice(0, most)
}

const inText = (typed: Typed, isExpression: boolean): Suggestion[] => {
  const { text, cursor } = typed
  // In an expression a dollar sign is the beginning of a reference already; in a label it may be one of money.
  if (isExpression && text[cursor - 1] === '$') return references(typed, '', cursor, cursor)
  const at = typingAt(text, cursor, isExpression)
  if (at === null) return []
  return at.kind === 'reference'
    ? references(typed, at.typed, at.start, at.end)
    : functions(typed, at.typed, at.start, at.end)
}

/** Words of a cell that has several of them: the last one is being typed. */
const words = (all: readonly { readonly name: string; readonly words: string }[], { text }: Typed): Suggestion[] => {
  const before = text.slice(0, text.lastIndexOf(' ') + 1)
  const typed = text.slice(before.length)
  return fitting(
    all.map((one) => ({ ...one, text: before + one.name, cursor: before.length + one.name.length })),
    typed,
  )
}

const ofType = (typed: Typed, base: string): Suggestion[] => {
  const { sheet, place } = typed
  const type = readTypeCell(textAt(sheet, { row: place.row, column: columnOf(sheet, 'type') }))?.type
  if (type == null) return []
  return base === 'appearance'
    ? words(
        type.appearances.map((name) => ({ name, words: '' })),
        typed,
      )
    : words(
        type.parameters.map(({ name, example }) => ({ name: `${name}=`, words: example })),
        typed,
      )
}

/** Most fitting first; none where nothing could be completed. */
export const suggestionsFor = (typed: Typed): Suggestion[] => {
  const { book, sheet, place, text } = typed
  const column = kindOf(sheet, place.column)
  const among = (names: readonly string[]) =>
    fitting(
      names.map((name) => whole(name, '')),
      text,
    )
  switch (column?.kind) {
    case 'type':
      return types(typed)
    case 'list':
      return among(listsIn(book, sheet.name.trim().toLowerCase()))
    case 'yes or no':
      return [...among(['yes', 'no']), ...inText(typed, true)]
    case 'expression':
      return inText(typed, true)
    case 'text':
      return inText(typed, false)
    case 'words':
      if (column.name === 'appearance' || column.name === 'parameters') return ofType(typed, column.name)
      return column.name === 'default_language' ? among(languagesOf(book)) : inText(typed, column.name === 'default')
    default:
      return []
  }
}
