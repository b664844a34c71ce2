// What we use of the engine below the renderer; its package has no types.
import type { Answers, Picture, Typed } from '../keep'
import { xmlPart } from '../keep/answers'
import { allOf } from './hidden'

export interface EngineNode {
  readonly nodeId: string
  readonly nodeType: string
  readonly valueType?: string
  readonly appearances?: Iterable<string>
  readonly nodeOptions?: { readonly media?: { readonly accept: string; readonly type: string | null } }
  readonly currentState: {
    readonly reference: string
    readonly value: unknown
    readonly instanceValue?: string
    readonly readonly: boolean
    readonly required: boolean
    readonly relevant: boolean
    readonly label: { readonly asString: string } | null
    readonly children: readonly EngineNode[] | null
    readonly valueOptions?: readonly { readonly value: string; readonly label: { readonly asString: string } }[] | null
  }
  /** What it holds, also while it is hidden. */
  heldValue?(): string
  setValue?(value: unknown): unknown
  selectValue?(value: string): unknown
  selectValues?(values: readonly string[]): unknown
  setValues?(values: readonly string[]): unknown
  addInstances?(at?: number): unknown
}

export interface EngineRoot extends EngineNode {
  readonly instanceState: { readonly instanceXML: string }
  readonly languages: readonly { readonly language: string; readonly isSyntheticDefault?: boolean }[]
  readonly validationState: { readonly violations: readonly unknown[] }
  readonly currentState: EngineNode['currentState'] & { readonly activeLanguage: { readonly language: string } }
  setLanguage(language: { readonly language: string }): unknown
}

export type EngineState =
  | { readonly status: 'FORM_STATE_SUCCESS'; readonly root: EngineRoot; readonly error: null }
  | { readonly status: 'FORM_STATE_FAILURE'; readonly root: null; readonly error: Error }

/** What is typed now, also while something is missing. */
export const typedIn = (root: EngineRoot): Typed => ({ xml: root.instanceState.instanceXML, all: allOf(root) })

const filesIn = ({ nodeType, currentState: { children, value } }: EngineNode): Picture[] => {
  if (children !== null) return children.flatMap(filesIn)
  return nodeType === 'upload' && value instanceof File ? [{ name: value.name, blob: value }] : []
}

/** What is to be kept now. Not by the engine's own payload: that sets the end of the interview, and so would change what it hands out. */
export const answersIn = (root: EngineRoot): Answers => ({ ...typedIn(root), files: filesIn(root) })

/** As the engine takes up what it gave out before. */
export const givenTo = (xml: string, files: readonly Picture[]): FormData => {
  const data = new FormData()
  data.set(xmlPart, new File([xml], xmlPart, { type: 'text/xml' }))
  for (const { name, blob } of files) data.set(name, new File([blob], name, { type: blob.type }))
  return data
}

/** Places of this tree, as a form names them, that are asked and have no answer. */
export const emptyIn = ({ currentState }: EngineNode): string[] => {
  const { reference, relevant, children, instanceValue } = currentState
  if (!relevant) return []
  if (children !== null) return children.flatMap(emptyIn)
  return instanceValue === '' ? [reference.replace(/\[\d+\]/g, '')] : []
}
