// A form as the program reads records by it: its questions in order, by the keys that records have.
import { choicesIn, type FormModel, type ModelChoice, type ModelNode, type ModelText } from '@sheaf/xlsform/form'

/** How an answer is compared, sorted and charted; records themselves hold text only. */
export type ValueKind =
  | 'text'
  | 'integer'
  | 'decimal'
  | 'date'
  | 'time'
  | 'datetime'
  | 'geo'
  | 'media'
  | 'select'
  | 'none'

export interface Field {
  /** Key in a record: the path below the root, `group/question`. */
  readonly key: string
  readonly name: string
  /** Type name of the compiler: `text`, `select_one`, `geopoint` … */
  readonly type: string
  readonly kind: ValueKind
  readonly labels: readonly ModelText[]
  /** Of HXL, as the form's author wrote it; null where there is none. */
  readonly tag: string | null
  /** null where there are none, or where they come from a file or from other answers. */
  readonly choices: readonly ModelChoice[] | null
  /** Keys of the repeats around it, the outermost first. */
  readonly repeats: readonly string[]
  readonly isRequired: boolean
  /** In the form's own `meta` group, or the server's `form/uuid` (`formhub/uuid`). */
  readonly isMeta: boolean
}

export interface RepeatField {
  readonly key: string
  readonly name: string
  readonly labels: readonly ModelText[]
  /** Keys of the repeats around it, the outermost first. */
  readonly repeats: readonly string[]
}

export interface FormFields {
  readonly rootName: string
  /** In the order of the form. */
  readonly fields: readonly Field[]
  readonly byKey: ReadonlyMap<string, Field>
  readonly repeats: ReadonlyMap<string, RepeatField>
  readonly languages: readonly string[]
}

const kinds: ReadonlyMap<string, ValueKind> = new Map(
  Object.entries<ValueKind>({
    integer: 'integer',
    decimal: 'decimal',
    date: 'date',
    today: 'date',
    time: 'time',
    dateTime: 'datetime',
    start: 'datetime',
    end: 'datetime',
    geopoint: 'geo',
    'start-geopoint': 'geo',
    'background-geopoint': 'geo',
    geotrace: 'geo',
    geoshape: 'geo',
    image: 'media',
    audio: 'media',
    video: 'media',
    file: 'media',
    osm: 'media',
    audit: 'media',
    'background-audio': 'media',
    select_one: 'select',
    select_multiple: 'select',
    rank: 'select',
    select_one_external: 'select',
    note: 'none',
  }),
)

/** A range or a calculation is what its data type says. */
const kindOf = (type: string, dataType: string | null): ValueKind => {
  if (type === 'range' || type === 'calculate') {
    if (dataType === 'int') return 'integer'
    if (dataType === 'decimal') return 'decimal'
    if (dataType === 'date') return 'date'
    if (dataType === 'time') return 'time'
    if (dataType === 'dateTime') return 'datetime'
  }
  return kinds.get(type) ?? 'text'
}

/** The server's own nodes of a record, as this API family and its relatives name them. */
const formIds: ReadonlySet<string> = new Set(['form/uuid', 'formhub/uuid'])

/** Records are keyed by names without prefixes, whatever a form was written with. */
export const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

const known = new WeakMap<FormModel, FormFields>()

/** Made once per model. */
export const fieldsOf = (model: FormModel): FormFields => {
  const found = known.get(model)
  if (found !== undefined) return found
  const choicesOf = choicesIn(model)
  const fields: Field[] = []
  const repeats = new Map<string, RepeatField>()
  const visit = (nodes: readonly ModelNode[], parent: string, around: readonly string[]): void => {
    for (const node of nodes) {
      const name = localName(node.name)
      const key = parent === '' ? name : `${parent}/${name}`
      if (node.kind === 'question') {
        fields.push({
          key,
          name,
          type: node.type,
          kind: kindOf(node.type, node.dataType),
          labels: node.labels,
          // Forms that were read before the compiler knew of tags have none.
          tag: node.hxl ?? null,
          choices: choicesOf(node),
          repeats: around,
          isRequired: node.required === 'true()',
          isMeta: key.startsWith('meta/') || formIds.has(key),
        })
      } else if (node.kind === 'repeat') {
        repeats.set(key, { key, name, labels: node.labels, repeats: around })
        visit(node.children, key, [...around, key])
      } else visit(node.children, key, around)
    }
  }
  visit(model.children, '', [])
  const made: FormFields = {
    rootName: localName(model.rootName),
    fields,
    byKey: new Map(fields.map((field) => [field.key, field])),
    repeats,
    languages: model.languages,
  }
  known.set(model, made)
  return made
}
