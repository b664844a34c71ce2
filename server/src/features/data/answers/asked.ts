// Which questions records are filtered and sorted by. It is counted in memory and written down together, some seconds later:
// whoever asks waits for nothing. What a process had not written when it was killed is lost, and asked again.
import { budgets } from '../../../budgets.js'
import type { SortKey, Target, TypedCondition } from '../../../formats/query/index.js'
import type { Database } from '../../../platform/db/index.js'
import { type Asked, writeAsked } from './asked.queries.js'
import { type IndexKind, isShort } from './values.queries.js'

type AnswerTarget = Extract<Target, { kind: 'answer' }>

/** Records have it once, in one place: what may come several times is in no index. */
const isPlain = (target: Target): target is AnswerTarget =>
  target.kind === 'answer' && target.places.length === 1 && target.places[0]?.repeats.length === 0

/** What answers are sorted as. Dates are, as they stand. */
const sortKind = ({ type }: AnswerTarget): IndexKind => (type === 'number' || type === 'moment' ? type : 'text')

/** What an index of its answers may be made of; none where no index would serve. The first is the usual one. */
export const kindsOf = (target: Target): readonly IndexKind[] =>
  isPlain(target) ? [...new Set<IndexKind>([target.type, sortKind(target), 'part'])] : []

interface Question {
  readonly key: string
  readonly kind: IndexKind
}

/** Shorter parts are in an index of parts, but in nearly every record too. */
const fewestCharacters = 3

const kindIn = (condition: TypedCondition): IndexKind | undefined => {
  if (condition.kind === 'contains') return condition.text.length < fewestCharacters ? undefined : 'part'
  if (condition.kind !== 'compare') return undefined
  const { operand, target } = condition
  if (operand.type === 'text') return isShort(operand.text) ? 'text' : undefined
  return operand.type === target.type && operand.type !== 'boolean' ? (operand.type as IndexKind) : undefined
}

/** Questions that an index would answer; none of what holds where something does not. */
const filteredBy = (condition: TypedCondition): readonly Question[] => {
  switch (condition.kind) {
    case 'and':
      return condition.conditions.flatMap(filteredBy)
    case 'or': {
      // One that has to be looked for takes as long as all of them.
      const each = condition.conditions.map(filteredBy)
      return each.some((questions) => questions.length === 0) ? [] : each.flat()
    }
    case 'not':
    case 'has':
    case 'search':
    case 'exists':
      return []
    default: {
      const kind = isPlain(condition.target) ? kindIn(condition) : undefined
      return kind === undefined ? [] : [{ key: (condition.target as AnswerTarget).key, kind }]
    }
  }
}

/** Only the first key decides in which order records are read. */
const sortedBy = ([first]: readonly (SortKey & { readonly target: Target })[]): readonly Question[] =>
  first !== undefined && isPlain(first.target) ? [{ key: first.target.key, kind: sortKind(first.target) }] : []

const { remembered, keyCharacters } = budgets.indexes
const flushMs = 10_000

class AskedQuestions {
  #counts = new Map<string, { -readonly [Name in keyof Asked]: Asked[Name] }>()
  #timer: NodeJS.Timeout | undefined

  note(db: Database, formId: number, filtered: readonly Question[], sorted: readonly Question[]): void {
    for (const one of new Map(filtered.map((question) => [JSON.stringify(question), question])).values())
      this.#add(formId, one, 1, 0)
    for (const one of sorted) this.#add(formId, one, 0, 1)
    if (this.#counts.size > 0)
      this.#timer ??= setTimeout(() => void this.flush(db).catch(() => undefined), flushMs).unref()
  }

  #add(formId: number, { key, kind }: Question, filtered: number, sorted: number): void {
    if (key.length > keyCharacters) return
    const name = JSON.stringify([formId, key, kind])
    const known = this.#counts.get(name)
    if (known === undefined && this.#counts.size >= remembered) return
    const count = known ?? { formId, key, kind, filtered: 0, sorted: 0 }
    count.filtered += filtered
    count.sorted += sorted
    this.#counts.set(name, count)
  }

  async flush(db: Database): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const counts = [...this.#counts.values()]
    this.#counts = new Map()
    if (counts.length > 0) await writeAsked(db.background, counts, budgets.indexes)
  }
}

const known = new WeakMap<Database, AskedQuestions>()

const askedIn = (db: Database): AskedQuestions => {
  const found = known.get(db.reserved) ?? new AskedQuestions()
  known.set(db.reserved, found)
  return found
}

interface AskedFor {
  readonly condition: TypedCondition
  readonly sort: readonly (SortKey & { readonly target: Target })[]
}

export const noteAsked = (db: Database, formId: number, { condition, sort }: AskedFor): void => {
  const [filtered, sorted] = [filteredBy(condition), sortedBy(sort)]
  if (filtered.length + sorted.length > 0) askedIn(db).note(db, formId, filtered, sorted)
}

/** What this process has counted is written down now. */
export const flushAsked = (db: Database): Promise<void> => askedIn(db).flush(db)
