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
  readonly instanceState: { readonly instanceXML: string }
  /** Of a repeat whose count is by a question: entries beyond it. */
  readonly heldEntries?: readonly EngineNode[]
  /** What it holds, also while it is hidden. */
  heldValue?(): string
  setValue?(value: unknown): unknown
  selectValue?(value: string): unknown
  selectValues?(values: readonly string[]): unknown
  setValues?(values: readonly string[]): unknown
  addInstances?(at?: number): unknown
}

export interface EngineRoot extends EngineNode {
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

type ChildrenOf = (node: EngineNode) => readonly EngineNode[] | null

const shownIn: ChildrenOf = ({ currentState: { children } }) => children
const allIn: ChildrenOf = ({ currentState: { children }, heldEntries = [] }) =>
  children && [...children, ...heldEntries]

const uploadsIn = (node: EngineNode, childrenOf = shownIn): EngineNode[] => {
  const children = childrenOf(node)
  if (children !== null) return children.flatMap((one) => uploadsIn(one, childrenOf))
  return node.nodeType === 'upload' ? [node] : []
}

const filesIn = (root: EngineRoot): Picture[] =>
  uploadsIn(root, allIn).flatMap(({ currentState: { value } }) =>
    value instanceof File ? [{ name: value.name, blob: value }] : [],
  )

/** What is to be kept now. Not by the engine's own payload: that sets the end of the interview, and so would change what it hands out. */
export const answersIn = (root: EngineRoot): Answers => ({ ...typedIn(root), files: filesIn(root) })

/** As the engine takes up what it gave out before. */
export const givenTo = (xml: string, files: readonly Picture[]): FormData => {
  const data = new FormData()
  data.set(xmlPart, new File([xml], xmlPart, { type: 'text/xml' }))
  for (const { name, blob } of files) data.set(name, new File([blob], name, { type: blob.type }))
  return data
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** By the engine's own words for a place: `/data/member[2]/photo`. */
const textAt = (document: Document, reference: string): string => {
  const steps = reference.split('/').slice(2)
  let at: Element | undefined = document.documentElement
  for (const step of steps) {
    const [name = '', index = '1'] = step.replace(']', '').split('[')
    at = [...(at?.children ?? [])].filter((one) => one.localName === localName(name))[Number(index) - 1]
  }
  return at?.textContent?.trim() ?? ''
}

/** Questions whose file the XML of a draft names, and that have none: it did not come with it. */
export const withoutFiles = (root: EngineRoot, xml: string): EngineNode[] => {
  const empty = uploadsIn(root).filter(({ currentState: { relevant, value } }) => relevant && value === null)
  if (empty.length === 0) return []
  const document = new DOMParser().parseFromString(xml, 'text/xml')
  return empty.filter(({ currentState: { reference } }) => textAt(document, reference) !== '')
}

/** Places of this tree, as a form names them, that are asked and have no answer. */
export const emptyIn = ({ currentState }: EngineNode): string[] => {
  const { reference, relevant, children, instanceValue } = currentState
  if (!relevant) return []
  if (children !== null) return children.flatMap(emptyIn)
  return instanceValue === '' ? [reference.replace(/\[\d+\]/g, '')] : []
}
