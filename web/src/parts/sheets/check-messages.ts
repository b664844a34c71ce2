// What the page and its compiler say to each other.
import type { RawSheet } from '@sheaf/xlsform/sheets'

export interface Asked {
  readonly number: number
  readonly sheets: RawSheet[]
  readonly fileName: string
}

/** A mistake with its place in the grids: rows from 0, -1 for the header; null where it is of the whole sheet or form. */
export interface PlacedProblem {
  readonly code: string
  readonly message: string
  readonly sheet: string | null
  readonly row: number | null
  readonly column: number | null
}

export interface CheckedForm {
  readonly xform: string
  readonly formId: string
  readonly title: string
  readonly version: string | null
}

export interface Checked {
  readonly number: number
  readonly problems: readonly PlacedProblem[]
  readonly warnings: readonly PlacedProblem[]
  /** Null where there are problems. */
  readonly form: CheckedForm | null
}
