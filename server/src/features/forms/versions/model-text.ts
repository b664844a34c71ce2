// The model of a form out of its JSON text. That of 100,000 villages is 10 MB and more, which takes hundreds of milliseconds
// in one go: it is read in pieces, and others have their turn in between.
import { setImmediate } from 'node:timers/promises'
import { budgets } from '../../../budgets.js'

const { pieceCharacters } = budgets.forms

const [quote, backslash, comma, openList, closeList, openObject, closeObject] = [
  0x22, 0x5c, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d,
]

const whiteSpace = new Set(' \n\r\t')

/** An object or a list that is not closed yet. A short one is not made by itself: it is read with what surrounds it. */
interface Frame {
  readonly isList: boolean
  readonly start: number
  made: unknown[] | Record<string, unknown> | undefined
  /** What stands from here on is not in `made` yet. */
  from: number
  /** The last member was long and is made; a comma may follow it. */
  isAfterMade: boolean
  awaitsKey: boolean
  keyStart: number
  keyEnd: number
}

class PieceReader {
  readonly #text: string
  readonly #frames: Frame[] = []
  /** The outermost value, once it is closed, when it is long. */
  #whole: unknown

  constructor(text: string) {
    this.#text = text
  }

  /** Reads on from there, as much as one turn may; answers where it stopped. */
  readOn(from: number): number {
    const text = this.#text
    const end = Math.min(text.length, from + pieceCharacters)
    let at = from
    for (; at < end; at += 1) {
      const code = text.charCodeAt(at)
      if (code === quote) at = this.#skipString(at)
      else if (code === comma) this.#separate(at)
      else if (code === openList || code === openObject) this.#open(at, code === openList)
      else if (code === closeList || code === closeObject) this.#close(at)
    }
    return at
  }

  get value(): unknown {
    return this.#whole ?? JSON.parse(this.#text)
  }

  #skipString(start: number): number {
    let end = start
    do end = this.#text.indexOf('"', end + 1)
    while (end !== -1 && this.#isEscaped(end))
    if (end === -1) throw new SyntaxError('A text of the JSON is never closed')
    const frame = this.#frames.at(-1)
    if (frame?.awaitsKey === true) {
      frame.awaitsKey = false
      frame.keyStart = start
      frame.keyEnd = end + 1
    }
    return end
  }

  #isEscaped(at: number): boolean {
    let first = at
    while (this.#text.charCodeAt(first - 1) === backslash) first -= 1
    return (at - first) % 2 === 1
  }

  #open(at: number, isList: boolean): void {
    this.#frames.push({
      isList,
      start: at,
      made: undefined,
      from: at + 1,
      isAfterMade: false,
      awaitsKey: !isList,
      keyStart: 0,
      keyEnd: 0,
    })
  }

  #separate(at: number): void {
    const frame = this.#frames.at(-1)
    if (frame === undefined) return
    frame.awaitsKey = !frame.isList
    if (frame.isAfterMade) frame.from = at + 1
    else if (at - frame.from >= pieceCharacters) this.#take(frame, at, at + 1)
    frame.isAfterMade = false
  }

  #close(at: number): void {
    const frame = this.#frames.pop()
    if (frame === undefined || frame.made === undefined) return
    if (!frame.isAfterMade) this.#take(frame, at, at)
    const parent = this.#frames.at(-1)
    if (parent === undefined) {
      this.#whole = frame.made
      return
    }
    this.#take(parent, this.#endBefore(parent.isList ? frame.start : parent.keyStart), at + 1)
    if (Array.isArray(parent.made)) parent.made.push(frame.made)
    else if (parent.made !== undefined) parent.made[this.#keyOf(parent)] = frame.made
    parent.isAfterMade = true
  }

  /** The end of what stands before a member, without the comma between them. */
  #endBefore(start: number): number {
    let end = start
    while (whiteSpace.has(this.#text[end - 1] ?? '')) end -= 1
    return this.#text.charCodeAt(end - 1) === comma ? end - 1 : end
  }

  #keyOf({ keyStart, keyEnd }: Frame): string {
    return JSON.parse(this.#text.slice(keyStart, keyEnd))
  }

  /** Makes the members up to `end`, and goes on at `next`. */
  #take(frame: Frame, end: number, next: number): void {
    const members = this.#text.slice(frame.from, end)
    frame.from = next
    if (frame.isList) {
      const list = Array.isArray(frame.made) ? frame.made : []
      for (const one of JSON.parse(`[${members}]`)) list.push(one)
      frame.made = list
    } else frame.made = Object.assign(frame.made ?? {}, JSON.parse(`{${members}}`))
  }
}

/** Like `JSON.parse`, for objects whose keys are words of ours. */
export const readModelText = async (text: string): Promise<unknown> => {
  if (text.length <= pieceCharacters) return JSON.parse(text)
  const reader = new PieceReader(text)
  for (let at = reader.readOn(0); at < text.length; at = reader.readOn(at)) await setImmediate()
  return reader.value
}
