// What one cell, or the cells of one answer, say that is not stored yet.
import type { Answer } from '../instance/index.js'
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
import type { Slot } from './columns.js'
import { momentOf, wallClockOf } from './dates.js'
import { chosenText, unfitness } from './fitting.js'
import { unguarded } from './guard.js'
import { type FileNames, saysTheSame } from './same.js'
import { type StoredRecord, storedAt } from './stored.js'

/** Undefined takes the answer away. */
export interface Change {
  readonly question: Question
  readonly entries: readonly number[]
  readonly value: string | undefined
  /** A time that was given without a zone. */
  readonly isTakenAsUtc?: boolean
}

type Said = Pick<Change, 'value' | 'isTakenAsUtc'> | undefined

const noFiles: FileNames = new Map()
const formerVersion = 'Only former versions of the form ask this, and the newest would read it otherwise'

export class Reader {
  readonly faults = new Faults()
  readonly #styles: readonly [CellStyle, CellStyle]
  readonly #dayFirst: ReadonlySet<string>
  readonly #stored: StoredRecord | undefined

  constructor(
    { style, dayFirst }: { style: CellStyle; dayFirst: ReadonlySet<string> },
    stored: StoredRecord | undefined,
  ) {
    this.#styles = [style, { ...style, isDayFirst: true }]
    this.#dayFirst = dayFirst
    this.#stored = stored
  }

  #styleOf({ key }: Question): CellStyle {
    return this.#styles[this.#dayFirst.has(key) ? 1 : 0]
  }

  /** Undefined where nothing changes. */
  read(slot: Slot, entries: readonly number[], cells: readonly string[]): Change | undefined {
    const { question } = slot
    const stored = this.#stored === undefined ? undefined : storedAt(this.#stored.answers, question, entries)
    const said = this.#said(slot, entries, cells, stored)
    if (said === undefined || said.value === stored) return undefined
    if (this.#stored === undefined && !slot.isOfToday && said.value !== undefined) {
      return this.faults.add(formerVersion, question.key)
    }
    return { question, entries, ...said }
  }

  /** Undefined where it says what is stored, or nothing. */
  #said(slot: Slot, entries: readonly number[], cells: readonly string[], stored: Answer | undefined): Said {
    const { question, column } = slot
    const style = this.#styleOf(question)
    // A line may end before its last cells: those say nothing.
    const cell = column === undefined ? undefined : cells[column]
    const text = (cell ?? '').trim()
    const isSame = cell !== undefined && saysTheSame(text, stored, question, style, this.#stored?.files ?? noFiles)
    if (cell !== undefined && !isSame && cellText(text, style) !== '') {
      return this.#answer(text, slot, placeOf(slot, entries), stored)
    }
    const aside = this.#chosen(slot, cells, stored) ?? this.#parts(slot, cells, stored)
    // Columns of choices and parts stand for the answer where its own is empty, or as it was.
    if (aside !== undefined || isSame || cell === undefined) return aside
    return slot.choices.length > 0 || Object.keys(slot.parts).length > 0 ? undefined : { value: undefined }
  }

  #answer(text: string, slot: Slot, column: string, stored: Answer | undefined): Said {
    const { question } = slot
    const { isRaw, isSheet, isDayFirst } = this.#styleOf(question)
    if (isSheet && text.length >= longestSheetCell) {
      return this.faults.add('As long as a cell can be, so that its end may be missing; send it as CSV', text, column)
    }
    // Only CSV is guarded: in a workbook a text is a text.
    const bare = storable(isRaw || isSheet ? text : unguarded(text)).trim()
    if (isOfLabels(bare, question)) {
      return this.faults.add(`Labels in place of the names of choices in ${question.key}`, bare)
    }
    const zone = zoneOf(stored, question)
    const rules = { isDayFirst, ...(zone !== '' && { zone }) }
    const read = answerOf(chosenText(bare, slot), question, this.faults, column, rules)
    if (read === undefined) return undefined
    const value = isSheet && isClock(question) ? withoutZeros(read) : read
    const unfit = value === stored ? undefined : unfitness(value, slot, this.#stored)
    if (unfit !== undefined) return this.faults.addWhole(`Column ${column}`, unfit)
    const isTakenAsUtc = question.kind === 'datetime' && zone === '' && momentOf(bare)?.isZoned === false
    return isTakenAsUtc ? { value, isTakenAsUtc } : { value }
  }

  #chosen({ question, choices }: Slot, cells: readonly string[], stored: Answer | undefined): Said {
    if (choices.length === 0) return undefined
    const style = this.#styleOf(question)
    const words = typeof stored === 'string' ? stored.split(/\s+/) : []
    const present = new Set(words)
    const result = new Set(words)
    for (const choice of choices) {
      const { column, name } = choice
      const cell = cells[column]
      if (cell === undefined) continue
      const text = unguarded(cellText(cell, style))
      // `0` in the column of a choice that is named so may say either.
      if (this.#stored !== undefined && isNo(text) && isWordOf(question, name, text)) continue
      const isWanted = isChosen(text, choice, () => isWordOf(question, name, text), this.faults)
      if (isWanted) result.add(name)
      else result.delete(name)
    }
    if (result.size === present.size && [...result].every((name) => present.has(name))) return undefined
    return { value: result.size === 0 ? undefined : [...result].join(' ') }
  }

  #parts({ question, parts, heading }: Slot, cells: readonly string[], stored: Answer | undefined): Said {
    const told = geoParts.filter((part) => parts[part] !== undefined && cells[parts[part]] !== undefined)
    if (told.length === 0) return undefined
    const texts = partsOf(stored)
    const said = { ...texts }
    for (const part of told) said[part] = cellText(cells[parts[part] as number], this.#styleOf(question))
    if (geoParts.every((part) => isSamePart(said[part], texts[part]))) return undefined
    const isGone = geoParts.every((part) => said[part] === '')
    return isGone ? { value: undefined } : { value: placeOfParts(said, this.faults, heading) ?? stringOf(stored) }
  }
}

/** In the table of a repeat, with the number of the entry. */
const placeOf = ({ heading, entries }: Slot, place: readonly number[]): string =>
  place.length === entries.length ? heading : `${heading}, entry ${place.map((at) => at + 1).join('.')}`

const isClock = ({ kind }: Question): boolean => kind === 'datetime' || kind === 'time'

/** Cells of dates have milliseconds, and come with six digits of them. */
const withoutZeros = (text: string): string => text.replace(/(\.\d{3})000(?!\d)/, '$1')

/** That of the answer which a time without one takes the place of: spreadsheets show none. */
const zoneOf = (stored: Answer | undefined, question: Question): string =>
  typeof stored === 'string' && isClock(question) ? (wallClockOf(stored)?.zone ?? '') : ''

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
