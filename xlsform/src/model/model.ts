import type { MediaKind } from '../tables/columns.js'

/** A text in one language; `language` is null where the form gives a text without any. */
export interface ModelText {
  language: string | null
  /** References stand as `${name}`, as an author writes them. */
  text: string
}

export interface ModelMedia {
  kind: MediaKind
  language: string
  file: string
}

export interface ModelChoice {
  name: string
  labels: ModelText[]
  media: ModelMedia[]
  /** Further columns: name and text. */
  data: [string, string][]
}

export interface ModelChoiceList {
  name: string
  choices: ModelChoice[]
}

interface ModelElement {
  name: string
  /** Absolute, as in the XForm: `/data/group/question`. */
  path: string
  labels: ModelText[]
  media: ModelMedia[]
  appearance: string | null
  /** Expressions are XPath with references resolved. */
  relevant: string | null
  readonly: string | null
}

/** Types have one name each, whatever spelling the form was written with. */
export interface ModelQuestion extends ModelElement {
  kind: 'question'
  type: string
  /** Type of the value: `string`, `int`, `decimal`, `binary` …; null when the form does not say. */
  dataType: string | null
  hints: ModelText[]
  guidance: ModelText[]
  required: string | null
  constraint: string | null
  calculate: string | null
  requiredMessages: ModelText[]
  constraintMessages: ModelText[]
  /** Value the question starts with, and the expression that computes it instead. */
  default: string | null
  initial: string | null
  /** Choices come from the list or file of this id, out of `itemset`. */
  list: string | null
  itemset: { nodeset: string; value: string; label: string } | null
  /** Or the control writes them out: number of the list among `inlineLists`. */
  inlineList?: number
  /** Of models that were made when each question repeated them; null in all others. Read `choicesIn`. */
  choices: ModelChoice[] | null
  /** Entity property that the answer is saved to. */
  saveTo: string | null
  /** HXL tag, such as `#adm1+name`; only where the form has one. */
  hxl?: string
}

export interface ModelGroup extends ModelElement {
  kind: 'group' | 'repeat'
  children: ModelNode[]
  /** Expression for how often a repeat repeats. */
  count: string | null
}

export type ModelNode = ModelQuestion | ModelGroup

export interface ModelEntity {
  dataset: string
  /** Path of the group or repeat that the entity belongs to. */
  container: string
  creates: boolean
  updates: boolean
}

/**
 * A form as a server works with it: plain data, the same whether it was compiled or parsed. Only labels of questions that
 * are not shown are in the XForm just when they have languages, or when compiling was asked to keep them.
 */
export interface FormModel {
  formId: string
  title: string
  version: string | null
  rootName: string
  style: string | null
  /** In the order in which they are offered. */
  languages: string[]
  defaultLanguage: string | null
  submissionUrl: string | null
  publicKey: string | null
  /** The form's elements in order; the last one is usually the group `meta`. */
  children: ModelNode[]
  choiceLists: ModelChoiceList[]
  /** Lists that controls write out, each once however many do. */
  inlineLists?: ModelChoice[][]
  /** Files that the form reads: instance id and address. */
  externalInstances: { id: string; src: string }[]
  entities: ModelEntity[]
}

/** All elements in order, groups before their contents. */
export function* walkModel(nodes: readonly ModelNode[]): Generator<ModelNode> {
  for (const node of nodes) {
    yield node
    if (node.kind !== 'question') yield* walkModel(node.children)
  }
}

/** The choices that a question's control writes out; null when it does not. */
export const inlineChoicesOf = (model: FormModel, { choices, inlineList }: ModelQuestion): ModelChoice[] | null =>
  choices ?? (inlineList === undefined ? null : (model.inlineLists?.[inlineList] ?? null))

/** The choices of the questions of a model, wherever they are written; null when they come from a file or from answers. Lists
 * are found by name: a form may have as many of them as questions. */
export const choicesIn = (model: FormModel): ((question: ModelQuestion) => ModelChoice[] | null) => {
  const lists = new Map<string | null, ModelChoice[]>()
  for (const { name, choices } of model.choiceLists) if (!lists.has(name)) lists.set(name, choices)
  return (question) => inlineChoicesOf(model, question) ?? lists.get(question.list) ?? null
}
