// Defuses CSV as it streams by, byte for byte: the database writes the cells, which is several times faster than asking
// it to look at the first letter of each (measured: 0.5 µs a cell there, 5 ns a byte here).
import { defused } from './cells.js'

const comma = 0x2c
const newline = 0x0a
const quote = 0x22
const bar = 0x7c

const apostrophe = Buffer.from("'")
const backslash = Buffer.from('\\')

const flags = (characters: string): Uint8Array => {
  const table = new Uint8Array(256)
  for (const byte of Buffer.from(characters)) table[byte] = 1
  return table
}
const isDangerous = flags('=@%\t\r\n')
const isSign = flags('+-')
const startsSpecial = flags('"+-=@%\t\r')
const stopsPlain = flags(',\n|')
const stopsQuoted = flags('"|')

/** A cell with a sign is judged as a whole; longer than this, it is no number. */
const longestNumber = 4096

type State = 'cell start' | 'plain' | 'quoted' | 'quote in quoted'

/** Takes what PostgreSQL writes with `copy … to stdout (format csv)`; counts its rows. */
export class CsvDefuser {
  rows = 0
  #state: State = 'cell start'
  #held: Buffer | undefined
  #out: Buffer[] = []
  #copiedTo = 0

  push(chunk: Buffer): Buffer {
    const data = this.#held === undefined ? chunk : Buffer.concat([this.#held, chunk])
    this.#held = undefined
    this.#out = []
    this.#copiedTo = 0
    let at = 0
    while (at < data.length) at = this.#step(data, at)
    if (this.#copiedTo < at) this.#out.push(data.subarray(this.#copiedTo, Math.min(at, data.length)))
    return this.#out.length === 1 ? (this.#out[0] as Buffer) : Buffer.concat(this.#out)
  }

  #step(data: Buffer, at: number): number {
    switch (this.#state) {
      case 'cell start':
        return this.#start(data, at)
      case 'plain':
        return this.#plain(data, at)
      case 'quoted':
        return this.#quoted(data, at)
      default:
        // A doubled quote is one within the cell; anything else ends it.
        this.#state = data[at] === quote ? 'quoted' : 'plain'
        return this.#state === 'quoted' ? at + 1 : at
    }
  }

  #insert(data: Buffer, at: number, bytes: Buffer): void {
    this.#out.push(data.subarray(this.#copiedTo, at), bytes)
    this.#copiedTo = at
  }

  /** Waits for more of a cell that cannot be judged yet. */
  #hold(data: Buffer, at: number): number {
    if (this.#copiedTo < at) this.#out.push(data.subarray(this.#copiedTo, at))
    this.#copiedTo = data.length
    this.#held = data.subarray(at)
    return data.length
  }

  #start(data: Buffer, at: number): number {
    const isQuoted = data[at] === quote
    const first = isQuoted ? at + 1 : at
    if (first >= data.length) return this.#hold(data, at)
    const byte = data[first] as number
    if (isSign[byte] === 1 && !this.#isNumber(data, first, isQuoted)) {
      if (this.#held !== undefined) return data.length
      this.#insert(data, first, apostrophe)
    } else if (this.#held !== undefined) return data.length
    // An unquoted line break is the end of an empty last cell.
    else if (isDangerous[byte] === 1 && (isQuoted || byte !== newline)) this.#insert(data, first, apostrophe)
    this.#state = isQuoted ? 'quoted' : 'plain'
    return first
  }

  /** Holds the cell back where its end is not there yet. */
  #isNumber(data: Buffer, first: number, isQuoted: boolean): boolean {
    const end = isQuoted ? endOfQuoted(data, first) : endOfPlain(data, first)
    if (end === -1 && data.length - first < longestNumber) {
      this.#hold(data, isQuoted ? first - 1 : first)
      return true
    }
    const text = data.toString('latin1', first, end === -1 ? data.length : end)
    return end !== -1 && defused(text) === text
  }

  #plain(data: Buffer, from: number): number {
    const { length } = data
    for (let at = from; at < length; at++) {
      // One look a byte: nearly all of them are nothing to stop at.
      while (at < length && stopsPlain[data[at] as number] === 0) at++
      if (at === length) break
      if (data[at] === bar) {
        this.#insert(data, at, backslash)
        continue
      }
      if (data[at] === newline) this.rows += 1
      // Most cells begin with a letter or a digit: the next one goes on here.
      if (at + 1 < length && startsSpecial[data[at + 1] as number] === 0) continue
      this.#state = 'cell start'
      return at + 1
    }
    return length
  }

  #quoted(data: Buffer, from: number): number {
    const { length } = data
    for (let at = from; at < length; at++) {
      while (at < length && stopsQuoted[data[at] as number] === 0) at++
      if (at === length) break
      if (data[at] === quote) {
        this.#state = 'quote in quoted'
        return at + 1
      }
      this.#insert(data, at, backslash)
    }
    return length
  }
}

const endOfPlain = (data: Buffer, from: number): number => {
  for (let at = from; at < data.length && at - from <= longestNumber; at++) {
    if (data[at] === comma || data[at] === newline) return at
  }
  return -1
}

/** -1 also where it cannot be told yet whether a quote is doubled. A doubled one belongs to the cell, and to no number. */
const endOfQuoted = (data: Buffer, from: number): number => {
  const found = data.subarray(from, from + longestNumber).indexOf(quote)
  const at = from + found
  if (found === -1 || at + 1 >= data.length) return -1
  return data[at + 1] === quote ? at + 1 : at
}
