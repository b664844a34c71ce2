import type { Drawing } from '../../../formats/drawing/index.js'

export type { Drawing }

export interface Work {
  readonly drawing: Drawing
  /** One picture for each. */
  readonly widths: readonly number[]
}

export type Outcome = { readonly pictures: readonly string[] } | { readonly fault: unknown }
