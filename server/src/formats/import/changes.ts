// What a row says that is not stored yet.
import type { Answer, Answers } from '../instance/index.js'
import { storable } from '../xml/index.js'
import type { Question } from './asked.js'
import {
  answerOf,
  type CellStyle,
  cellText,
  Faults,
  type GeoPart,
  geoParts,
  isChosen,
  isDecimal,
  isNo,
  longestSheetCell,
  placeOfParts,
} from './cells.js'
import { choicesOf } from './choices.js'
import type { Columns, Slot } from './columns.js'
import { unguarded } from './guard.js'
import type { Row } from './rows.js'
import { type FileNames, saysTheSame } from './same.js'
import { storedKey } from './stored-key.js'

/** How a file is to be read: its table of records, and a table for each repeat that has one. */
export interface Layout {
  readonly columns: Columns
  readonly tables: readonly EntryTable[]
  readonly style: CellStyle
}

export interface EntryTable {
  readonly columns: Columns
  /** Keys of the repeats, the outermost first. */
  readonly chain: readonly string[]
}

export interface StoredRecord {
  readonly answers: Answers
  readonly files: FileNames
}

/** Undefined takes the answer away. */
export interface Change {
  readonly question: Question
  readonly entries: readonly number[]
  readonly value: string | undefined
}

export interface Changes {
  readonly changes: readonly Change[]
  /** What cannot be stored, in words. */
  readonly faults: readonly string[]
}

const noFiles: FileNames = new Map()

const ownAnswer = (answers: Answers | undefined, key: string): Answer | undefined =>
  answers !== undefined && Object.hasOwn(answers, key) ? answers[key] : undefined

const entriesOf = (answers: Answers | undefined, repeat: string): readonly Answers[] => {
  const found = ownAnswer(answers, storedKey(repeat))
  return Array.isArray(found) && typeof found[0] === 'object' ? (found as Answers[]) : []
}

/** What is stored at a place. */
const storedAt = (answers: Answers, { key, repeats }: Question, entries: readonly number[]): Answer | undefined => {
  let around: Answers | undefined = answers
  for (const [depth, repeat] of repeats.entries()) around = entriesOf(around, repeat)[entries[depth] ?? 0]
  return ownAnswer(around, storedKey(key))
}

const formerVersion = 'Only former versions of the form ask this, and the newest would read it otherwise'

class Reader {
  readonly faults = new Faults()
  readonly #style: CellStyle
  readonly #stored: StoredRecord | undefined

  constructor(style: CellStyle, stored: StoredRecord | undefined) {
    this.#style = style
    this.#stored = stored
  }

  /** Undefined where nothing changes. */
  read(slot: Slot, entries: readonly number[], cells: readonly string[]): Change | undefined {
    const { question } = slot
    const stored = this.#stored === undefined ? undefined : storedAt(this.#stored.answers, question, entries)
    const said = this.#said(slot, cells, stored)
    if (said === undefined || said.value === stored) return undefined
    if (this.#stored === undefined && !slot.isOfToday && said.value !== undefined) {
      return this.faults.add(formerVersion, question.key)
    }
    return { question, entries, value: said.value }
  }

  /** Undefined where it says what is stored, or nothing. */
  #said(slot: Slot, cells: readonly string[], stored: Answer | undefined): { value: string | undefined } | undefined {
    const { question, column } = slot
    // A line may end before its last cells: those say nothing.
    const cell = column === undefined ? undefined : cells[column]
    const text = (cell ?? '').trim()
    const isSame =
      cell !== undefined && saysTheSame(text, stored, question, this.#style, this.#stored?.files ?? noFiles)
    if (cell !== undefined && !isSame && cellText(text, this.#style) !== '') {
      return this.#answer(text, question)
    }
    const aside = this.#chosen(slot, cells, stored) ?? this.#parts(slot, cells, stored)
    // Columns of choices and parts stand for the answer where its own is empty, or as it was.
    if (aside !== undefined || isSame || cell === undefined) return aside
    return slot.choices.length > 0 || Object.keys(slot.parts).length > 0 ? undefined : { value: undefined }
  }

  #answer(text: string, question: Question): { value: string | undefined } | undefined {
    if (this.#style.isSheet && text.length >= longestSheetCell) {
      this.faults.add('As long as a cell can be, so that its end may be missing; send it as CSV', text)
      return undefined
    }
    const bare = storable(this.#style.isRaw ? text : unguarded(text)).trim()
    if (isOfLabels(bare, question)) {
      this.faults.add(`Labels in place of the names of choices in ${question.key}`, bare)
      return undefined
    }
    const value = answerOf(bare, question, this.faults)
    return value === undefined ? undefined : { value }
  }

  #chosen({ question, choices }: Slot, cells: readonly string[], stored: Answer | undefined) {
    if (choices.length === 0) return undefined
    const words = typeof stored === 'string' ? stored.split(/\s+/) : []
    const present = new Set(words)
    const result = new Set(words)
    for (const { column, name } of choices) {
      const cell = cells[column]
      if (cell === undefined) continue
      const text = unguarded(cellText(cell, this.#style))
      // `0` in the column of a choice that is named so may say either.
      if (this.#stored !== undefined && isNo(text) && isWordOf(question, name, text)) continue
      const isWanted = isChosen(text, name, () => isWordOf(question, name, text), this.faults)
      if (isWanted) result.add(name)
      else result.delete(name)
    }
    if (result.size === present.size && [...result].every((name) => present.has(name))) return undefined
    return { value: result.size === 0 ? undefined : [...result].join(' ') }
  }

  #parts({ parts }: Slot, cells: readonly string[], stored: Answer | undefined) {
    const told = geoParts.filter((part) => parts[part] !== undefined && cells[parts[part]] !== undefined)
    if (told.length === 0) return undefined
    const texts = partsOf(stored)
    const said = { ...texts }
    for (const part of told) said[part] = cellText(cells[parts[part] as number], this.#style)
    if (geoParts.every((part) => isSamePart(said[part], texts[part]))) return undefined
    const isGone = geoParts.every((part) => said[part] === '')
    return isGone ? { value: undefined } : { value: placeOfParts(said, this.faults) ?? stringOf(stored) }
  }
}

/** Its name, or one of its labels. */
const isWordOf = (question: Question, name: string, text: string): boolean =>
  text === name ||
  (text !== '' &&
    choicesOf(question)
      .byName.get(name)
      ?.labels.some((label) => label.text.trim() === text) === true)

const stringOf = (stored: Answer | undefined): string | undefined => (typeof stored === 'string' ? stored : undefined)

/** As exports show them: of a point of four numbers. */
const partsOf = (stored: Answer | undefined): Record<GeoPart, string> => {
  const numbers = typeof stored === 'string' ? stored.split(' ') : []
  const isPoint = numbers.length === 4 && numbers[3] !== ''
  const [latitude = '', longitude = '', altitude = '', precision = ''] = isPoint ? numbers : []
  return { latitude, longitude, altitude, precision }
}

const isSamePart = (said: string, known: string): boolean =>
  said === known || (isDecimal(said) && isDecimal(known) && Number(said) === Number(known))

/** Not one of them is the name of a choice. */
const isOfLabels = (text: string, question: Question): boolean => {
  if (question.kind !== 'select' || question.choices === null) return false
  const { byName, labels } = choicesOf(question)
  const isList = question.type === 'select_multiple' || question.type === 'rank'
  if (byName.has(text) || (isList && text.split(/\s+/).every((word) => byName.has(word)))) return false
  return labels.has(text) || (isList && text.split(', ').every((label) => labels.has(label.trim())))
}

/** Of how many entries of a repeat fewer are there than are stored: a row that was left out takes no entry away. */
const missingEntries = ({ entries }: Row, { tables }: Layout, { answers }: StoredRecord): string[] => {
  const told = new Map<string, number>()
  for (const { table, entries: place } of entries) {
    const key = JSON.stringify([table, place.slice(0, -1)])
    told.set(key, (told.get(key) ?? 0) + 1)
  }
  return tables.flatMap(({ chain }, table) => {
    const missing: string[] = []
    const visit = (around: Answers, depth: number, place: readonly number[]): void => {
      const stored = entriesOf(around, chain[depth] as string)
      if (depth < chain.length - 1) {
        for (const [at, entry] of stored.entries()) visit(entry, depth + 1, [...place, at])
        return
      }
      const rows = told.get(JSON.stringify([table, place])) ?? 0
      if (rows < stored.length) missing.push(`${chain[depth]} (${rows} of ${stored.length})`)
    }
    visit(answers, 0, [])
    return missing
  })
}

const tooFew = 'Rows of entries are missing; empty their cells instead'
const unknownAnswers = 'Answers without a column of their own, which only the record that they are of keeps'

/** `stored` is the record of the row; undefined: it becomes a new one. */
export const changesOf = (row: Row, layout: Layout, stored: StoredRecord | undefined): Changes => {
  const reader = new Reader(layout.style, stored)
  const { slots, ranks } = layout.columns
  const ranked = slots.flatMap((slot) => {
    const change = reader.read(slot, slot.entries, row.cells)
    return change === undefined ? [] : [{ change, rank: ranks.get(slot) ?? 0 }]
  })
  const changes = ranked.sort((a, b) => a.rank - b.rank).map(({ change }) => change)
  for (const { table, entries, cells } of row.entries) {
    for (const slot of layout.tables[table]?.columns.slots ?? []) {
      const change = reader.read(slot, entries, cells)
      if (change !== undefined) changes.push(change)
    }
  }
  if (stored === undefined && row.hasOthers) reader.faults.add(unknownAnswers, '_other_answers')
  if (stored !== undefined) {
    for (const missing of missingEntries(row, layout, stored)) reader.faults.add(tooFew, missing)
  }
  return { changes, faults: [...row.faults, ...reader.faults.messages] }
}
