import type { ProblemList } from '../problems.js'
import type { Settings } from '../settings.js'
import { type MediaKind, mediaKinds } from '../tables/columns.js'
import type { Row, Table, TextCell } from '../tables/table.js'
import { builtInNamespaces, isName, prefixOf } from '../xml/names.js'

export interface Choice {
  name: string
  row: number | null
  label: readonly TextCell[]
  media: readonly [MediaKind, readonly TextCell[]][]
  /** Further columns: element name and text. */
  data: [string, string][]
}

export class ChoiceList {
  readonly name: string
  readonly choices: Choice[] = []
  readonly names = new Set<string>()
  /** Rows of selects that write the choices into the control, and of those that read the instance. */
  searchRow: number | null = null
  instanceRow: number | null = null
  /** A range or a map reads the instance, which may be next to selects with search(). */
  isRead = false

  constructor(name: string) {
    this.name = name
  }

  add(choice: Choice): void {
    this.choices.push(choice)
    this.names.add(choice.name)
  }

  /** Texts go to itext as soon as one choice has media, a language or a reference. */
  get needsItext(): boolean {
    this.#needsItext ??= this.choices.some(
      ({ label, media }) =>
        media.length > 0 || label.some(({ language, text }) => language !== null || text.includes('${')),
    )
    return this.#needsItext
  }
  #needsItext: boolean | undefined

  /** Its names that are numbers, which expressions may compare without quotes. */
  get numbers(): ReadonlySet<number> {
    if (this.#numbers?.count !== this.choices.length)
      this.#numbers = { count: this.choices.length, known: new Set([...this.names].map(Number)) }
    return this.#numbers.known
  }
  #numbers: { count: number; known: Set<number> } | undefined

  get isTranslated(): boolean {
    return this.choices.some(({ label }) => label.some(({ language }) => language !== null))
  }
}

/** Adds a choice that the form itself brings, in every language of the list. */
export const addChoice = (list: ChoiceList, name: string, label: string): void => {
  if (list.names.has(name)) return
  const languages = new Set(list.choices.flatMap((choice) => choice.label.map((one) => one.language)))
  languages.delete(null)
  const labels = languages.size === 0 ? [null] : [...languages]
  list.add({
    name,
    row: null,
    label: labels.map((language) => ({ language, text: label, column: 'label' })),
    media: [],
    data: [],
  })
}

/** Groups the rows of a choices-like sheet by list, in order of first appearance. */
export const readChoiceLists = (
  table: Table | undefined,
  settings: Settings,
  problems: ProblemList,
  warnings: ProblemList,
): Map<string, ChoiceList> => {
  const lists = new Map<string, ChoiceList>()
  if (table === undefined || table.rows.length === 0) return lists
  if (!table.has('name')) {
    problems.add('missing-column', `The sheet needs a column 'name'. Its other columns must be list_name and label.`, {
      sheet: table.sheet,
      row: 1,
      column: 'name',
    })
    return lists
  }
  const dataColumns = readDataColumns(table, settings, warnings)
  const unlabelled = new Map<string, Choice[]>()
  for (const row of table.rows) {
    const listName = row.get('list_name')
    if (listName === undefined) continue
    const list = lists.get(listName) ?? new ChoiceList(listName)
    lists.set(listName, list)
    const choice = readChoice(row, list, dataColumns, settings, problems)
    list.add(choice)
    if (choice.label.length > 0 || choice.media.length > 0) continue
    const others = unlabelled.get(listName)
    if (others === undefined) unlabelled.set(listName, [choice])
    else others.push(choice)
  }
  for (const [name, choices] of unlabelled) warnOfUnlabelled(table, name, choices, warnings)
  return lists
}

// One warning for a list: a list without a label column would otherwise give as many as it has choices.
const warnOfUnlabelled = (table: Table, list: string, choices: readonly Choice[], warnings: ProblemList): void => {
  const [first] = choices
  const message =
    choices.length === 1
      ? `The choice '${first?.name}' of list '${list}' has no label; people will not know what it means.`
      : `${choices.length} choices of list '${list}' have no label, '${first?.name}' first; people will not know what they mean.`
  warnings.add('choice-without-label', message, { sheet: table.sheet, row: first?.row ?? null, column: 'label' })
}

const readChoice = (
  row: Row,
  list: ChoiceList,
  dataColumns: { position: number; header: string }[],
  settings: Settings,
  problems: ProblemList,
): Choice => {
  const name = row.get('name')
  const place = { sheet: row.table.sheet, row: row.number, column: row.header('name'), value: name ?? null }
  if (name === undefined)
    problems.add('choice-without-name', `A choice of list '${list.name}' has no name. Fill the name cell.`, place)
  else if (list.names.has(name) && !settings.allowsChoiceDuplicates)
    problems.add(
      'duplicate-choice',
      `The choice '${name}' is in list '${list.name}' twice. Rename one of them, or set allow_choice_duplicates to yes.`,
      place,
    )
  const data: [string, string][] = []
  for (const { position, header } of dataColumns) {
    const value = row.values[position]
    if (value !== undefined) data.push([header, value])
  }
  const sms = row.get('sms_option')
  if (sms !== undefined) data.push(['sms_option', sms])
  return { name: name ?? '', row: row.number, label: row.texts('label'), media: readMedia(row), data }
}

const noMedia: readonly [MediaKind, readonly TextCell[]][] = []

export const readMedia = (row: Row): readonly [MediaKind, readonly TextCell[]][] => {
  let media: [MediaKind, readonly TextCell[]][] | undefined
  for (const kind of mediaKinds) {
    const texts = row.texts(`media::${kind}`)
    if (texts.length === 0) continue
    media ??= []
    media.push([kind, texts])
  }
  return media ?? noMedia
}

const reserved = new Set(['itextId', 'label', 'name'])

// Data columns become elements, so their headers must be names an element can have.
const readDataColumns = (
  table: Table,
  settings: Settings,
  warnings: ProblemList,
): { position: number; header: string }[] => {
  const columns: { position: number; header: string }[] = []
  for (const [position, { key, header }] of table.columns.entries()) {
    if (key !== null) continue
    const prefix = prefixOf(header)
    const isDeclared = prefix === null || builtInNamespaces.has(prefix) || settings.namespaces.has(prefix)
    if (isName(header) && isDeclared && !reserved.has(header)) columns.push({ position, header })
    else
      warnings.add(
        'invalid-choices-column',
        `The column '${header}' is left out, because its header is no valid name. Use letters, digits and '_', no spaces.`,
        { sheet: table.sheet, row: 1, column: header, value: header },
      )
  }
  return columns
}
