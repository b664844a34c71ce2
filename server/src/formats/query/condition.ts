// What a query asks, before it is known what its keys are.

export type Comparison = '=' | '>' | '>=' | '<' | '<='

export type Operand =
  | { readonly kind: 'string' | 'number'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean }

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'not'; readonly condition: Condition }
  | { readonly kind: 'compare'; readonly key: string; readonly comparison: Comparison; readonly operand: Operand }
  | { readonly kind: 'contains'; readonly key: string; readonly text: string }
  /** Any of these words is among those of a text, which blanks part: answers that take several choices. */
  | { readonly kind: 'has'; readonly key: string; readonly words: readonly string[] }
  | { readonly kind: 'exists'; readonly key: string }
  /** Free text, anywhere in the answers. */
  | { readonly kind: 'search'; readonly text: string }

export const always: Condition = { kind: 'and', conditions: [] }
