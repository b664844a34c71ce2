// What all versions of a form have asked: files hold the answers of all of them.
import type { FormModel } from '@sheaf/xlsform/form'
import { type Slot as Question, shapeOf } from '../columns/index.js'
import { type FormFields, fieldsOf } from '../form/index.js'
import { openSelectsOf } from '../patch/index.js'

export type { Question }

/** A name in a path: what is asked there, and what lies below. */
export interface Branch {
  readonly id: number
  readonly children: Map<string, Branch>
  /** More than one where it was in a repeat in one version and not in another. */
  readonly questions: Question[]
  isRepeat: boolean
}

export interface Asked {
  readonly current: FormModel
  readonly questions: readonly Question[]
  /** Of each repeat the keys of those around it and its own, also where it holds nothing but other repeats. */
  readonly chains: readonly (readonly string[])[]
  readonly root: Branch
  /** Questions of groups and repeats by their names alone. */
  readonly names: Branch
  /** Of all names. */
  readonly longestName: number
  /** Of questions, in any language. */
  readonly labels: ReadonlySet<string>
  /** Whether the newest version reads an answer of this question as it was meant. */
  isOfToday(question: Question): boolean
  /** Whether its choices are looked for elsewhere, in any version: then any text may be one. */
  isOpen(question: Question): boolean
}

class Tree {
  #made = 0
  readonly root = this.branch()
  longestName = 0

  branch(): Branch {
    this.#made += 1
    return { id: this.#made, children: new Map(), questions: [], isRepeat: false }
  }

  at(key: string): Branch {
    let branch = this.root
    for (const name of key.split('/')) {
      const next = branch.children.get(name) ?? this.branch()
      branch.children.set(name, next)
      branch = next
      this.longestName = Math.max(this.longestName, name.length)
    }
    return branch
  }
}

const partsOf = (key: string): string[] => {
  const names = key.split('/')
  return names.map((_, at) => names.slice(0, at + 1).join('/'))
}

/** Every repeat on its way is one today, and nothing else is. */
const isReadAlike = ({ key, repeats }: Question, { repeats: today }: FormFields): boolean =>
  partsOf(key).every((part) => today.has(part) === repeats.includes(part))

const noteOf = ({ key, name, type, kind, labels, repeats }: FormFields['fields'][number]): Question => ({
  key,
  name,
  type,
  kind,
  labels,
  choices: null,
  tag: null,
  isWhole: false,
  repeats,
  isAlsoRepeat: false,
})

/** Models from the oldest to the newest. */
export const askedIn = async (models: readonly FormModel[]): Promise<Asked> => {
  const current = models.at(-1)
  if (current === undefined) throw new Error('A form has a version')
  const versions = models.map(fieldsOf)
  const today = fieldsOf(current)
  const shape = await shapeOf(versions)
  // A note has no column in exports; who writes one is understood.
  const notes = today.fields.filter(({ kind }) => kind === 'none').map(noteOf)
  const questions = [...shape.questions, ...shape.meta, ...notes]
  const [tree, names] = [new Tree(), new Tree()]
  for (const question of questions) {
    tree.at(question.key).questions.push(question)
    if (question.kind !== 'none') names.at(question.name).questions.push(question)
  }
  const open = new Set(models.flatMap((model) => [...openSelectsOf(model)]))
  for (const { key } of shape.repeats) tree.at(key).isRepeat = true
  return {
    current,
    questions,
    chains: shape.repeats.map(({ key, repeats }) => [...repeats, key]),
    root: tree.root,
    names: names.root,
    longestName: tree.longestName,
    labels: new Set(questions.flatMap(({ labels }) => labels.map(({ text }) => text.trim()))),
    isOfToday: (question) => isReadAlike(question, today),
    isOpen: ({ key, choices }) => choices === null || open.has(key),
  }
}
