import type { CompiledForm, CompileOptions } from '../compile.js'
import type { FormModel } from '../model/model.js'
import type { Problem } from '../problems.js'

export type Work =
  | { readonly kind: 'compile'; readonly bytes: Uint8Array; readonly options: CompileOptions }
  | { readonly kind: 'parse'; readonly xml: string }

export interface Request {
  readonly id: number
  readonly work: Work
}

export type Outcome = { readonly value: CompiledForm | FormModel } | { readonly problems: Problem[] }

export interface Response {
  readonly id: number
  readonly outcome: Outcome
}
