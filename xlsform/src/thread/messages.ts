import type { CompileOptions } from '../compile.js'
import type { Problem } from '../problems.js'
import type { XFormChanges } from '../rewrite/rewrite.js'
import type { SheetTable } from '../workbook/sheet-tables.js'

/** What a form says about itself, without its model: handing the model of a large form from thread to thread takes as
 * long as compiling it. */
export interface FormDraft {
  /** The XForm. */
  readonly xml: string
  readonly formId: string
  readonly title: string
  readonly version: string | null
  readonly rootName: string
  readonly publicKey: string | null
  readonly warnings: readonly Problem[]
  /** `itemsets.csv`, to be delivered with the form. */
  readonly itemsets?: string
}

export interface RewrittenForm {
  readonly xml: string
  /** Of the XML in UTF-8: that of 64 MB takes a tenth of a second. */
  readonly md5: string
  /** The model of that very XForm, as JSON text. */
  readonly model: string
}

export type Work =
  | { readonly kind: 'tables'; readonly bytes: Uint8Array }
  | { readonly kind: 'compile'; readonly bytes: Uint8Array; readonly options: CompileOptions }
  | { readonly kind: 'read'; readonly bytes: Uint8Array }
  | { readonly kind: 'rewrite'; readonly xml: string; readonly changes: XFormChanges }

/** Mistakes of the author, or a fault of the compiler. */
export type Outcome =
  | { readonly value: FormDraft | RewrittenForm | SheetTable[] }
  | { readonly problems: Problem[] }
  | { readonly fault: unknown }
