// What is shown for values that were counted. A list of choices may have a hundred thousand and many questions may share it:
// it is gone through once, for the names that were counted.
import { cutTo } from '@sheaf/xlsform/text'
import { type FormShape, labelIn, type Slot } from '../columns/index.js'
import { takingTurns } from '../turns/index.js'
import type { ChartField } from './fields.js'

export type ShownValue = string | null | readonly (string | null)[]

export interface ValueLabels {
  /** As rows hold it: a number, a day or a name as it is; a category as the list of its labels. */
  shown(value: string | null): ShownValue
  /** For people to read: labels with commas between them; undefined for no answer. Not much longer than `most` characters. */
  text(value: string | null, most?: number): string | undefined
  /** Characters of what is shown, with some for each label. */
  lengthOf(value: string | null): number
  /** Where a choice stands in the form; infinite for what is none. */
  placeOf(value: string | null): number
}

export interface Labelled {
  readonly field: ChartField
  /** Those that will be asked for. */
  readonly values: Iterable<string | null>
}

type List = NonNullable<Slot['choices']>

interface Found {
  readonly label: string
  readonly place: number
}

const severalTypes = new Set(['select all that apply', 'rank'])

const namesIn = ({ type }: ChartField, value: string): string[] => (severalTypes.has(type) ? value.split(' ') : [value])

/** Newest first: the first that has a name says what it means. */
const listsOf = ({ source, dataType }: ChartField): List[] =>
  source.kind === 'answer' && dataType === 'categorized' ? source.places.flatMap(({ choices }) => [choices ?? []]) : []

/** Choices, or characters of values, that are looked at between two looks at the clock. */
const atOnce = 10_000

type Pause = () => Promise<void>

const addNames = async ({ field, values }: Labelled, sets: readonly Set<string>[], pause: Pause): Promise<void> => {
  let characters = 0
  for (const value of values) {
    for (const name of value === null ? [] : namesIn(field, value)) for (const names of sets) names.add(name)
    characters += (value?.length ?? 0) + 1
    if (characters < atOnce) continue
    characters = 0
    await pause()
  }
}

/** Of each list the names that were counted, whichever field has them. */
const wantedIn = async (asked: readonly Labelled[], pause: Pause): Promise<Map<List, Set<string>>> => {
  const wanted = new Map<List, Set<string>>()
  for (const one of asked) {
    const lists = listsOf(one.field).filter((list) => list.length > 0)
    for (const list of lists) if (!wanted.has(list)) wanted.set(list, new Set())
    const sets = lists.map((list) => wanted.get(list) as Set<string>)
    if (sets.length > 0) await addNames(one, sets, pause)
  }
  return wanted
}

const foundIn = async (list: List, wanted: ReadonlySet<string>, language: string | undefined, pause: Pause) => {
  const found = new Map<string, Found>()
  for (let place = 0; place < list.length && found.size < wanted.size; place += 1) {
    const { name, labels } = list[place] as List[number]
    if (wanted.has(name) && !found.has(name)) found.set(name, { label: labelIn(labels, language) ?? name, place })
    if (place % atOnce === atOnce - 1) await pause()
  }
  return found
}

/** Each label stands in quotes, with a comma. */
const besideLabel = 20

/** Of these values of these fields, and of no others. */
export const valueLabels = async (
  { languages }: Pick<FormShape, 'languages'>,
  hasChoices: boolean,
  asked: readonly Labelled[],
): Promise<(field: ChartField) => ValueLabels> => {
  const pause = takingTurns()
  const found = new Map<List, Map<string, Found>>()
  for (const [list, names] of await wantedIn(asked, pause)) {
    found.set(list, await foundIn(list, names, languages[0], pause))
  }
  const unanswered = hasChoices ? [] : [null]

  return (field) => {
    const isPlain = field.dataType !== 'categorized' || field.source.kind === 'builtin'
    const lists = listsOf(field).map((list) => found.get(list))
    const labelled = (name: string): string => {
      for (const list of lists) {
        const known = list?.get(name)
        if (known !== undefined) return known.label
      }
      return name
    }
    return {
      shown: (value) => {
        if (isPlain) return value
        return value === null ? unanswered : namesIn(field, value).map(labelled)
      },
      text: (value, most = Number.POSITIVE_INFINITY) => {
        if (value === null) return undefined
        if (isPlain) return cut(value, most)
        return joined(namesIn(field, value), labelled, most)
      },
      lengthOf: (value) => {
        if (value === null) return besideLabel
        if (isPlain) return value.length + besideLabel
        return namesIn(field, value).reduce((sum, name) => sum + labelled(name).length + besideLabel, 0)
      },
      placeOf: (value) => lists[0]?.get(value ?? '')?.place ?? Number.POSITIVE_INFINITY,
    }
  }
}

/** What is too long may have been left off already, so the mark stands behind all that there is room for. */
const cut = (text: string, most: number): string => (text.length > most ? `${cutTo(text, most)}…` : text)

const joined = (names: readonly string[], labelled: (name: string) => string, most: number): string => {
  let text = ''
  for (const [place, name] of names.entries()) {
    text += (place === 0 ? '' : ', ') + labelled(name)
    if (text.length > most) break
  }
  return cut(text, most)
}
