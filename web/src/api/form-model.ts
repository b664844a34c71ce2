// A form as pages need it: its questions in order with their labels in every language, from the tree that the API gives.

export type Words = string | Readonly<Record<string, string>> | undefined

export interface Choice {
  readonly name: string
  readonly label: Words
}

/** What a question's answers are. */
export type Kind =
  | 'text'
  | 'number'
  | 'date'
  | 'time'
  | 'datetime'
  | 'choice'
  | 'choices'
  | 'place'
  | 'line'
  | 'area'
  | 'picture'
  | 'sound'
  | 'video'
  | 'file'
  | 'note'

export interface Group {
  readonly key: string
  readonly label: Words
  readonly isRepeat: boolean
}

export interface Question {
  /** As records have it: `household/roof`. */
  readonly key: string
  readonly name: string
  readonly type: string
  readonly kind: Kind
  readonly label: Words
  readonly hint: Words
  readonly choices: readonly Choice[]
  /** From the outermost to the innermost. */
  readonly groups: readonly Group[]
  /** The innermost repeat that it stands in. */
  readonly repeat: string | undefined
  /** Filled in by the device or by a calculation, not by a person. */
  readonly isAutomatic: boolean
}

export interface FormModel {
  readonly title: string
  readonly version: string
  /** None where the form has one language without a name. */
  readonly languages: readonly string[]
  readonly defaultLanguage: string | undefined
  readonly questions: readonly Question[]
  readonly byKey: ReadonlyMap<string, Question>
  readonly groups: ReadonlyMap<string, Group>
}

/** A node of the tree. Whatever a form holds, reading it never fails: what is unknown is text. */
export interface TreeNode {
  readonly type?: string
  readonly name?: string
  readonly label?: Words
  readonly hint?: Words
  readonly bind?: Readonly<Record<string, unknown>>
  readonly itemset?: string
  readonly children?: readonly TreeNode[]
  readonly choices?: unknown
}

const kinds: ReadonlyMap<string, Kind> = new Map(
  Object.entries<Kind>({
    integer: 'number',
    decimal: 'number',
    range: 'number',
    date: 'date',
    today: 'date',
    time: 'time',
    dateTime: 'datetime',
    start: 'datetime',
    end: 'datetime',
    'select one': 'choice',
    acknowledge: 'choice',
    'select all that apply': 'choices',
    rank: 'choices',
    geopoint: 'place',
    'start-geopoint': 'place',
    'background-geopoint': 'place',
    geotrace: 'line',
    geoshape: 'area',
    photo: 'picture',
    audio: 'sound',
    'background-audio': 'sound',
    video: 'video',
    file: 'file',
    note: 'note',
  }),
)

const automatic = new Set([
  'start',
  'end',
  'today',
  'calculate',
  'hidden',
  'deviceid',
  'username',
  'email',
  'phonenumber',
  'audit',
  'start-geopoint',
  'background-geopoint',
  'background-audio',
])

/** Written by the server or for it, beside what people answer. */
const isInternal = (key: string): boolean => key === 'form' || key === 'meta' || /^(form|meta)\//.test(key)

const languagesIn = (words: Words): string[] => (typeof words === 'object' ? Object.keys(words) : [])

interface Place {
  readonly path: string
  readonly groups: readonly Group[]
  readonly repeat: string | undefined
}

export const readForm = (
  tree: TreeNode & { title?: string; version?: string; default_language?: string },
): FormModel => {
  const lists = (tree.choices ?? {}) as Readonly<Record<string, readonly Choice[] | undefined>>
  const questions: Question[] = []
  const groups = new Map<string, Group>()
  const languages = new Set<string>()
  const noteLanguages = (...texts: Words[]) => {
    for (const language of texts.flatMap(languagesIn)) languages.add(language)
  }
  const choicesOf = (node: TreeNode): readonly Choice[] => {
    const own = (node.children ?? []).filter((child) => child.type === undefined || child.type === 'choice')
    const listed = node.itemset !== undefined && Object.hasOwn(lists, node.itemset) ? lists[node.itemset] : undefined
    return listed ?? (own as readonly Choice[])
  }
  const read = (nodes: readonly TreeNode[], place: Place) => {
    for (const node of nodes) {
      const name = node.name ?? ''
      const key = place.path === '' ? name : `${place.path}/${name}`
      if (isInternal(key)) continue
      noteLanguages(node.label, node.hint)
      if (node.type === 'group' || node.type === 'repeat') {
        const group: Group = { key, label: node.label, isRepeat: node.type === 'repeat' }
        groups.set(key, group)
        read(node.children ?? [], {
          path: key,
          groups: [...place.groups, group],
          repeat: group.isRepeat ? key : place.repeat,
        })
        continue
      }
      const type = node.type ?? 'text'
      const choices = choicesOf(node)
      for (const { label } of choices.slice(0, 50)) noteLanguages(label)
      questions.push({
        key,
        name,
        type,
        kind: kinds.get(type) ?? 'text',
        label: node.label,
        hint: node.hint,
        choices,
        groups: place.groups,
        repeat: place.repeat,
        isAutomatic: automatic.has(type),
      })
    }
  }
  read(tree.children ?? [], { path: '', groups: [], repeat: undefined })
  const named = [...languages].filter((language) => language !== 'default')
  return {
    title: tree.title ?? '',
    version: tree.version ?? '',
    languages: named,
    defaultLanguage: named.find((language) => language === tree.default_language) ?? named[0],
    questions,
    byKey: new Map(questions.map((question) => [question.key, question])),
    groups,
  }
}

/** A label in a language, else in any; undefined where there is none. */
export const wordsIn = (words: Words, language: string | undefined): string | undefined => {
  if (typeof words !== 'object') return words
  const wanted = language !== undefined && Object.hasOwn(words, language) ? words[language] : undefined
  return wanted ?? words.default ?? Object.values(words)[0]
}

/** What a person reads for a question or a group: its label, else its name. Labels may name other answers as `${age}`. */
export const labelOf = (one: { key: string; label: Words }, language: string | undefined): string => {
  const text = wordsIn(one.label, language)?.trim() ?? ''
  return text === '' ? (one.key.split('/').at(-1) ?? one.key) : text
}

/** The label of a choice, by the name that an answer has; the name itself where it is none of the form's. */
export const choiceLabel = (question: Question, name: string, language: string | undefined): string => {
  const found = choicesByName(question).get(name)
  return (found && wordsIn(found.label, language)) ?? name
}

const byName = new WeakMap<Question, ReadonlyMap<string, Choice>>()

const choicesByName = (question: Question): ReadonlyMap<string, Choice> => {
  const known = byName.get(question) ?? new Map(question.choices.map((choice) => [choice.name, choice]))
  byName.set(question, known)
  return known
}
