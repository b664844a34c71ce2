export interface Weights {
  readonly entry: number
  readonly pages: Readonly<Record<string, number>>
  readonly languages: Readonly<Record<string, number>>
}
export const budgets: { readonly first: number }
export const weightsOf: (dist: string) => Weights
export const faultsIn: (weights: Weights) => string[]
