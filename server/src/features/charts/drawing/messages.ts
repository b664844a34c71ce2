import type { Figure } from '../../../formats/charts/index.js'

/** What is needed to draw; plain data, handed from thread to thread. */
export type Drawing = Pick<Figure, 'direction' | 'categories' | 'series' | 'isStacked' | 'isContinuous' | 'measure'>

export interface Work {
  readonly number: number
  readonly drawing: Drawing
  /** One picture for each. */
  readonly widths: readonly number[]
}

export type Done =
  | { readonly number: number; readonly pictures: readonly string[] }
  | { readonly number: number; readonly fault: unknown }
