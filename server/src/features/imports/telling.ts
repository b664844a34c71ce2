// What is said of a file that was imported: what of it was not used, and what was decided for its sender.
import { listed } from './imports.errors.js'

const mostRows = 20

/** Numbers of rows: how many there are, and the first of them. */
class Rows {
  readonly #first: number[] = []
  #count = 0

  add(row: number): void {
    this.#count += 1
    if (this.#first.length < mostRows) this.#first.push(row)
  }

  get text(): string {
    const more = this.#count - this.#first.length
    return `row(s) ${this.#first.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  }
}

export class Telling {
  /** Answers of new records that name a file, which no table brings. */
  named = 0
  /** Times that had no zone. */
  takenAsUtc = 0
  readonly #again = new Rows()
  readonly #ignored = new Map<string, Rows>()
  #hasAgain = false

  /** A row of a record that another row of the file was about. */
  again(row: number): void {
    this.#hasAgain = true
    this.#again.add(row)
  }

  /** A column that says otherwise than what is stored, and changes nothing. */
  ignored(column: string, row: number): void {
    const rows = this.#ignored.get(column) ?? new Rows()
    this.#ignored.set(column, rows)
    rows.add(row)
  }

  sentences({ extra, hasIdAlone }: { extra: readonly string[]; hasIdAlone: boolean }, duplicates: number): string[] {
    const ignored = [...this.#ignored].map(([column, rows]) => `${column} (${rows.text})`)
    return [
      ...when(extra.length > 0, `Additional column(s) excluded from the upload: '${listed(extra)}'.`),
      ...when(duplicates > 0, `Rows of deleted records were left out: ${duplicates}.`),
      ...when(this.named > 0, `Files are not imported; answers of new records that name one: ${this.named}.`),
      ...when(hasIdAlone, '_id is not used; without _uuid every row is a new record.'),
      ...when(this.#hasAgain, `Several rows of one record, of which the last one counts: ${this.#again.text}.`),
      ...when(
        ignored.length > 0,
        `Imports do not change these columns, which differ from what is stored: ${ignored.join(', ')}.`,
      ),
      ...when(
        this.takenAsUtc > 0,
        `Times without a zone are taken as UTC: ${this.takenAsUtc} answer(s) of new records or of none before.`,
      ),
    ]
  }
}

const when = (isSo: boolean, sentence: string): string[] => (isSo ? [sentence] : [])
