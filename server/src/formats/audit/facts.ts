// What a log says of the work on a record: how long, at how many questions, and what was changed later. Times are the phone's
// own, whose clock may jump.
import type { AuditLine } from './log.js'

export interface NodeTime {
  readonly event: string
  readonly node: string
  readonly seconds: number
  readonly visits: number
}

export interface AuditFacts {
  /** At questions and groups, where both were open once; null without such a line. */
  readonly seconds: number | null
  /** That were opened. */
  readonly questions: number
  /** Answers that were changed after the form was opened again; null where the form keeps no track of changes. */
  readonly edits: number | null
  /** In the order in which they were opened first. */
  readonly nodes: readonly NodeTime[]
}

/** Milliseconds since 1970; undefined for what is no moment. */
export const momentIn = (text: string | undefined): number | undefined => {
  const digits = text?.trim() ?? ''
  return /^-?\d{1,15}$/.test(digits) ? Number(digits) : undefined
}

type Interval = readonly [number, number]

/** Overlaps count once. */
const lengthOf = (intervals: readonly Interval[]): number => {
  const inOrder = [...intervals].sort(([a], [b]) => a - b)
  let [sum, reached] = [0, Number.NEGATIVE_INFINITY]
  for (const [start, end] of inOrder) {
    sum += Math.max(0, end - Math.max(start, reached))
    reached = Math.max(reached, end)
  }
  return sum
}

interface Opened {
  readonly event: string
  readonly node: string
  readonly intervals: Interval[]
  visits: number
}

const timed: ReadonlySet<string> = new Set(['question', 'group questions'])

const inSeconds = (milliseconds: number): number => milliseconds / 1000

export class AuditFactsReader {
  readonly #opened = new Map<string, Opened>()
  #edits = 0
  #isResumed = false
  #tracksChanges = false

  add(line: AuditLine): void {
    const event = line.get('event') ?? ''
    if (timed.has(event)) this.#open(event, line)
    if (event === 'form resume') this.#isResumed = true
    const [before, after] = [line.get('old-value'), line.get('new-value')]
    if (before === after) return
    this.#tracksChanges = true
    if (this.#isResumed) this.#edits += 1
  }

  #open(event: string, line: AuditLine): void {
    const node = line.get('node') ?? ''
    const key = `${event} ${node}`
    const opened = this.#opened.get(key) ?? { event, node, intervals: [], visits: 0 }
    this.#opened.set(key, opened)
    opened.visits += 1
    const [start, end] = [momentIn(line.get('start')), momentIn(line.get('end'))]
    // A clock that was put back gives an end before the start: nothing is known of how long it was.
    if (start !== undefined && end !== undefined && end > start) opened.intervals.push([start, end])
  }

  /** `columns` of the log: without those for changes nobody knows of any. */
  facts(columns: readonly string[]): AuditFacts {
    const opened = [...this.#opened.values()]
    const intervals = opened.flatMap((one) => one.intervals)
    const isTracked = this.#tracksChanges || columns.includes('new-value')
    return {
      seconds: opened.length === 0 ? null : inSeconds(lengthOf(intervals)),
      questions: opened.filter(({ event }) => event === 'question').length,
      edits: isTracked ? this.#edits : null,
      nodes: opened.map(({ event, node, visits, intervals: own }) => ({
        event,
        node,
        seconds: inSeconds(lengthOf(own)),
        visits,
      })),
    }
  }
}
