// What the page and its worker say to each other.
import type { RawSheet } from '@sheaf/xlsform/sheets'

export type Asked =
  | { readonly fileName: string; readonly bytes: Uint8Array }
  | { readonly fileName: string; readonly sheets: readonly RawSheet[] }

/** What was checked last, as a workbook. */
export interface Wish {
  readonly wants: 'workbook'
}

export type Answer =
  | { readonly checked: Checked }
  | { readonly workbook: Uint8Array<ArrayBuffer> }
  /** Why it cannot be a workbook, in the compiler's words. */
  | { readonly refused: string }
  | { readonly fault: true }

export interface ShownCell {
  readonly heading: string
  readonly text: string
  readonly isMeant: boolean
}

export interface ShownProblem {
  readonly message: string
  readonly sheet: string | null
  readonly row: number | null
  readonly column: string | null
  /** The row around it, as far as it can be shown. */
  readonly cells: readonly ShownCell[]
}

export interface ShownRow {
  readonly row: number
  /** Null where it is not known. */
  readonly type: string | null
  readonly name: string
  readonly label: string
  readonly depth: number
}

export interface Checked {
  readonly problems: readonly ShownProblem[]
  readonly warnings: readonly ShownProblem[]
  /** How many there are: no more than the first are shown. */
  readonly counts: { readonly problems: number; readonly warnings: number; readonly rows: number }
  readonly outline: readonly ShownRow[]
  /** It was a text or an example: somebody who wants to go on with it has no workbook yet. */
  readonly isNoWorkbook: boolean
  readonly form: {
    readonly title: string
    readonly formId: string
    readonly version: string | null
    readonly xform: string
  } | null
}
