import type { MediaKind } from '../tables/columns.js'
import type { TextCell } from '../tables/table.js'
import type { TypeRule } from './types.js'

/** A value with the cell it came from, so that whatever is wrong with it can be located. */
export interface Source {
  text: string
  sheet: string
  row: number | null
  column: string
}

/** A value that no cell holds: given by a question's type. */
export const given = (text: string): Source => ({ text, sheet: 'survey', row: null, column: 'type' })

/** What a select question offers. */
export interface Select {
  /** Where the choices come from. */
  kind: 'list' | 'file' | 'answers' | 'external'
  /** List, instance id, or the question whose answers are offered. */
  list: string
  valueRef: string
  labelRef: string
  hasSearch: boolean
  isRandomized: boolean
  seed: Source | null
  source: Source
}

/** What a control does when its value changes. */
export interface TriggeredAction {
  kind: 'setvalue' | 'setgeopoint'
  target: FormNode
  value: Source | null
}

// Nodes are many and mostly bare, so what they lack is shared.
const noTexts: readonly TextCell[] = []
const noMedia: readonly [MediaKind, readonly TextCell[]][] = []
const noSources: readonly Source[] = []
const noMessages: ReadonlyMap<string, readonly TextCell[]> = new Map()
const noAttributes: ReadonlyMap<string, Source> = new Map()

export type NodeKind = 'root' | 'group' | 'repeat' | 'question'

/** What the writer and the model share once references are resolved. */
export interface Resolved {
  bind: [string, string][]
  control: [string, string][]
  instance: [string, string][]
  /** Text of the instance element. */
  value: string
  /** Expression that fills the element when the form or a repeat instance is created. */
  initial: string | null
  itemset: { nodeset: string; value: string; label: string; list: string | null; filter: string | null } | null
}

/** An element of the form: the survey as a tree, in the order of the rows. */
export class FormNode {
  readonly kind: NodeKind
  readonly name: string
  /** Row of the survey sheet; 0 for what has none. */
  readonly row: number
  /** The element above in the instance; groups of flat forms are passed over. */
  parent: FormNode | null = null
  depth = 0
  path = ''
  /** The nearest repeat above. */
  repeat: FormNode | null = null
  /** What the body shows inside, flat groups included. */
  readonly children: FormNode[] = []
  isFlat = false
  type: TypeRule | null = null
  label: readonly TextCell[] = noTexts
  hint: readonly TextCell[] = noTexts
  guidance: readonly TextCell[] = noTexts
  media: readonly [MediaKind, readonly TextCell[]][] = noMedia
  readonly bind = new Map<string, Source>()
  default: Source | null = null
  hasDynamicDefault = false
  choiceFilter: Source | null = null
  select: Select | null = null
  osmList: string | null = null
  referenceGeometry: Source | null = null
  /** Names of the questions whose change recalculates this one. */
  triggers: Source | null = null
  readonly actions: TriggeredAction[] = []
  /** `setgeopoint` or `recordaudio` at start, with the quality asked for. */
  startAction: { element: string; event: string; quality: string | null } | null = null
  hasControl = false
  /** Helper that calculates how often a repeat repeats. */
  countNode: FormNode | null = null
  /** Relevance of flat groups around, outermost first. */
  outerRelevant: readonly Source[] = noSources
  resolved: Resolved | null = null

  constructor(kind: NodeKind, name: string, row: number) {
    this.kind = kind
    this.name = name
    this.row = row
  }

  /** `jr:constraintMsg` and its kin, which may be translated. */
  get messages(): ReadonlyMap<string, readonly TextCell[]> {
    return this.#messages ?? noMessages
  }
  #messages: Map<string, readonly TextCell[]> | undefined

  setMessage(name: string, texts: readonly TextCell[]): void {
    this.#messages ??= new Map()
    this.#messages.set(name, texts)
  }

  /** Attributes of the control. */
  get control(): ReadonlyMap<string, Source> {
    return this.#control ?? noAttributes
  }
  #control: Map<string, Source> | undefined

  setControl(name: string, source: Source): void {
    this.#control ??= new Map()
    this.#control.set(name, source)
  }

  dropControl(name: string): void {
    this.#control?.delete(name)
  }

  /** Attributes of the element in the instance. */
  get instance(): ReadonlyMap<string, Source> {
    return this.#instance ?? noAttributes
  }
  #instance: Map<string, Source> | undefined

  setInstance(name: string, source: Source): void {
    this.#instance ??= new Map()
    this.#instance.set(name, source)
  }

  /** Whether its label is in languages. */
  get isTranslated(): boolean {
    return this.label.some(({ language }) => language !== null)
  }

  /** A group that holds nothing, not even another group. */
  get isEmpty(): boolean {
    return this.kind === 'group' && this.children.length === 0
  }

  /** Hangs this element under another one of the instance. */
  attach(parent: FormNode): this {
    this.parent = parent
    this.depth = parent.depth + 1
    this.path = `${parent.path}/${this.name}`
    this.repeat = parent.kind === 'repeat' ? parent : parent.repeat
    return this
  }
}
