// What can be counted of a form: its questions over all versions, and a few built-in fields. Names are what callers
// write: the bare name of a question, or its path.
import { type FormShape, labelIn, type Slot } from '../columns/index.js'

/** How values are put in order and drawn. */
export type DataType = 'numeric' | 'time_based' | 'categorized'

export type BuiltinField = '_submission_time' | '_submitted_by' | '_duration' | '_version' | '_review_status'

export type FieldSource =
  | { readonly kind: 'builtin'; readonly name: BuiltinField }
  /** A question that has moved into a repeat, or out of one, has several places; the first is where it is now. */
  | { readonly kind: 'answer'; readonly places: readonly [Slot, ...Slot[]] }
  /** Whether one choice of several was taken. */
  | { readonly kind: 'choice'; readonly places: readonly [Slot, ...Slot[]]; readonly choice: string }

export interface ChartField {
  /** Bare: `age` of `group/age`. */
  readonly name: string
  readonly path: string
  /** In the first language of the form; the name where it has none. */
  readonly label: string
  /** As this API family names it: `select one`, `integer`, `datetime` … */
  readonly type: string
  readonly dataType: DataType
  readonly source: FieldSource
  /** One of a list of choices: what others can be grouped by. */
  readonly isSelectOne: boolean
  /** Of a time that others are grouped by; a day where it is not said. */
  readonly period?: 'month'
}

const builtins: Readonly<Record<'_submission_time' | '_submitted_by' | '_duration', ChartField>> = {
  _submission_time: {
    name: '_submission_time',
    path: '_submission_time',
    label: 'Submission Time',
    type: 'datetime',
    dataType: 'time_based',
    source: { kind: 'builtin', name: '_submission_time' },
    isSelectOne: false,
  },
  _submitted_by: {
    name: '_submitted_by',
    path: '_submitted_by',
    label: 'Submission By',
    type: 'text',
    dataType: 'categorized',
    source: { kind: 'builtin', name: '_submitted_by' },
    isSelectOne: false,
  },
  _duration: {
    name: '_duration',
    path: '_duration',
    label: 'Duration',
    type: 'integer',
    dataType: 'numeric',
    source: { kind: 'builtin', name: '_duration' },
    isSelectOne: false,
  },
}

const textBuiltin = (name: BuiltinField, label: string): ChartField => ({
  name,
  path: name,
  label,
  type: 'text',
  dataType: 'categorized',
  source: { kind: 'builtin', name },
  isSelectOne: false,
})

/** A question of the same name comes before these. */
const laterBuiltins: Readonly<Record<string, ChartField>> = {
  _version: textBuiltin('_version', 'Version'),
  _review_status: textBuiltin('_review_status', 'Review status'),
}

const typeNames: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    select_one: 'select one',
    select_one_external: 'select one',
    select_multiple: 'select all that apply',
    dateTime: 'datetime',
  }),
)

const dataTypeOf = ({ kind, type }: Slot): DataType => {
  if (kind === 'integer' || kind === 'decimal') return 'numeric'
  if (kind === 'date' || kind === 'datetime') return 'time_based'
  return type === 'calculate' ? 'numeric' : 'categorized'
}

const fieldOf = (shape: FormShape, slot: Slot): ChartField => {
  const [first = slot, ...others] = shape.slotsOf(slot.key)
  const type = typeNames.get(first.type) ?? first.type
  return {
    name: first.name,
    path: first.key,
    label: labelIn(first.labels, shape.languages[0]) ?? first.name,
    type,
    dataType: dataTypeOf(first),
    source: { kind: 'answer', places: [first, ...others] },
    isSelectOne: type === 'select one',
  }
}

export interface ChartFields {
  /** Every question in the order of the form, then those of former versions alone, by the name that finds it. */
  readonly questions: ReadonlyMap<string, ChartField>
  /** Whether any question has choices that are written in the form. */
  readonly hasChoices: boolean
  /** By bare name or by path; of several with one name, the first of the form. */
  find(name: string): ChartField | undefined
  /** As `find`, and `question/choice` for one choice of a question that takes several. */
  findColumn(name: string): ChartField | undefined
}

const made = new WeakMap<FormShape, ChartFields>()

const makeFields = (shape: FormShape): ChartFields => {
  const byPath = new Map<string, ChartField>()
  for (const slot of shape.questions) if (!byPath.has(slot.key)) byPath.set(slot.key, fieldOf(shape, slot))
  const byName = new Map<string, ChartField[]>()
  for (const field of byPath.values()) {
    const same = byName.get(field.name)
    if (same === undefined) byName.set(field.name, [field])
    else same.push(field)
  }
  const isAlone = ({ name }: ChartField): boolean => byName.get(name)?.length === 1 && !byPath.has(name)
  const nameOf = (field: ChartField): string => (field.path === field.name || !isAlone(field) ? field.path : field.name)

  const find = (name: string): ChartField | undefined =>
    Object.hasOwn(builtins, name)
      ? builtins[name as keyof typeof builtins]
      : (byPath.get(name) ??
        byName.get(name)?.[0] ??
        (Object.hasOwn(laterBuiltins, name) ? laterBuiltins[name] : undefined))

  const findChoice = (name: string): ChartField | undefined => {
    const cut = name.lastIndexOf('/')
    const [question, choice] = [find(name.slice(0, Math.max(cut, 0))), name.slice(cut + 1)]
    if (question?.source.kind !== 'answer' || question.type !== 'select all that apply') return undefined
    const known = question.source.places[0].choices?.find((one) => one.name === choice)
    if (known === undefined) return undefined
    return {
      ...question,
      name: choice,
      path: `${question.path}/${choice}`,
      label: labelIn(known.labels, shape.languages[0]) ?? choice,
      type: 'text',
      source: { kind: 'choice', places: question.source.places, choice },
    }
  }

  return {
    questions: new Map([...byPath.values()].map((field) => [nameOf(field), field])),
    hasChoices: shape.questions.some(({ choices }) => choices !== null),
    find,
    findColumn: (name) => find(name) ?? findChoice(name),
  }
}

/** Made once for each shape. */
export const chartFieldsOf = (shape: FormShape): ChartFields => {
  const known = made.get(shape) ?? makeFields(shape)
  made.set(shape, known)
  return known
}

/** Keys of the repeats around a field, the outermost first. */
export const repeatsAround = ({ source }: ChartField): readonly string[] =>
  source.kind === 'builtin' ? [] : source.places[0].repeats

/** Whether each value of the field has one value of the group: where the group stands in a repeat, the field stands in
 * the same one or deeper. Otherwise an answer would be counted once for every entry. */
export const isGroupedBy = (field: ChartField, group: ChartField): boolean => {
  const around = repeatsAround(field)
  return field.path !== group.path && repeatsAround(group).every((repeat, depth) => around[depth] === repeat)
}
