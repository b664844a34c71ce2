// What can be filtered: the questions of a form, and what the server knows of each record.
import { type FormModel, type Kind, labelOf, type Question } from '@/api/form-model'
import type { FieldKind } from './conditions'

export interface FilterField {
  readonly key: string
  readonly label: string
  readonly kind: FieldKind
  readonly question?: Question
  /** Of the record itself, not of its answers. */
  readonly isOwn: boolean
}

/** Facts of a record; their labels are texts of `filter`. */
export const ownFields = [
  ['_submission_time', 'moment'],
  ['_submitted_by', 'choice'],
  ['_review_status', 'choice'],
  ['_tags', 'labels'],
  ['_version', 'choice'],
  ['_edited', 'flag'],
  ['_last_edited', 'moment'],
  ['_media_all_received', 'flag'],
  ['_duration', 'number'],
  ['_id', 'number'],
] as const satisfies readonly (readonly [string, FieldKind])[]

export type OwnField = (typeof ownFields)[number][0]

const kinds: Readonly<Record<Kind, FieldKind | undefined>> = {
  text: 'text',
  number: 'number',
  date: 'date',
  time: 'text',
  datetime: 'moment',
  choice: 'choice',
  choices: 'choices',
  place: 'presence',
  line: 'presence',
  area: 'presence',
  picture: 'presence',
  sound: 'presence',
  video: 'presence',
  file: 'presence',
  note: undefined,
}

/** A choice without a list of its own comes from a file: it is looked for as text. */
export const kindOfQuestion = (question: Question): FieldKind | undefined => {
  const kind = kinds[question.kind]
  const isListed = question.choices.length > 0
  return (kind === 'choice' || kind === 'choices') && !isListed ? 'text' : kind
}

export const fieldsOf = (
  model: FormModel,
  language: string | undefined,
  ownLabel: (field: OwnField) => string,
): readonly FilterField[] => [
  ...ownFields.map(([key, kind]) => ({ key, kind, label: ownLabel(key), isOwn: true })),
  ...model.questions.flatMap((question) => {
    const kind = kindOfQuestion(question)
    return kind === undefined
      ? []
      : [{ key: question.key, kind, label: labelOf(question, language), question, isOwn: false }]
  }),
]
