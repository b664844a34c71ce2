import type { Figure } from '../../../formats/charts/index.js'

/** What is needed to draw; plain data, handed from thread to thread. */
export type Drawing = Pick<Figure, 'direction' | 'categories' | 'series' | 'isStacked' | 'isContinuous' | 'measure'>

export interface Work {
  readonly drawing: Drawing
  /** One picture for each. */
  readonly widths: readonly number[]
}

export type Outcome = { readonly pictures: readonly string[] } | { readonly fault: unknown }
