// Files of records as a wall shows them, and which records are asked for.
import { type FormModel, labelOf, type Question } from '@/api/form-model'
import type { Answers, DataRecord, RecordFile, RecordFilter } from '@/api/records'
import { answersTo, fieldOf } from '@/parts/map/points'

export interface MediaItem {
  readonly file: RecordFile
  readonly question: Question | undefined
  readonly recordId: number
  readonly uuid: string
  readonly sentAt: string
  readonly sentBy: string | null
  /** A name that says what it is, for whoever downloads it. */
  readonly goodName: string
}

const fileKinds = ['picture', 'sound', 'video', 'file']

export const mediaQuestions = (model: FormModel): Question[] =>
  model.questions.filter(({ kind }) => fileKinds.includes(kind))

export const isPicture = ({ file }: Pick<MediaItem, 'file'>): boolean => file.mimetype.startsWith('image/')

export interface MediaChoice {
  readonly question: string
  readonly person: string
  /** Days, as `2026-07-01`. */
  readonly from: string
  readonly to: string
}

/** The start of a day in the person's zone, in UTC as records have it. */
const startOf = (day: string, daysLater = 0): string | undefined => {
  const date = new Date(`${day}T00:00:00`)
  if (Number.isNaN(date.getTime())) return undefined
  date.setDate(date.getDate() + daysLater)
  return date.toISOString().slice(0, 19)
}

const parsed = (text: string | undefined): object | undefined => {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** What is asked for: the filter of the address, and what was chosen here; all must hold. A query that is free text is a search. */
export const filterOf = (filter: RecordFilter, choice: MediaChoice, model: FormModel): RecordFilter => {
  const question = model.byKey.get(choice.question)
  const [from, to] = [startOf(choice.from), startOf(choice.to, 1)]
  const conditions: object[] = [
    { _total_media: { $gt: 0 } },
    ...(question !== undefined && question.repeat === undefined ? [{ [question.key]: { $exists: true } }] : []),
    ...(choice.person === '' ? [] : [{ _submitted_by: choice.person }]),
    ...(from === undefined ? [] : [{ _submission_time: { $gte: from } }]),
    ...(to === undefined ? [] : [{ _submission_time: { $lt: to } }]),
  ]
  const own = parsed(filter.query)
  const { query: _query, sort: _sort, ...rest } = filter
  const isText = filter.query !== undefined && own === undefined
  return {
    ...rest,
    ...(isText && rest.search === undefined && { search: filter.query ?? '' }),
    query: JSON.stringify({ $and: [...(own === undefined ? [] : [own]), ...conditions] }),
    sort: '{"_id":-1}',
  }
}

/** All that is needed to say which question each file answers. */
export const fieldsFor = (model: FormModel): string[] => [
  ...new Set([
    '_id',
    '_uuid',
    '_submission_time',
    '_submitted_by',
    '_attachments',
    ...mediaQuestions(model).map(fieldOf),
  ]),
]

const safe = (text: string): string =>
  text
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)

const endingOf = (name: string): string => /\.[\p{L}\p{N}]{1,8}$/u.exec(name)?.[0] ?? ''

/** `Photo-of-the-roof_2026-07-01_grace_41.jpg`. */
const goodNameOf = (record: DataRecord, question: Question | undefined, file: RecordFile, language: string): string =>
  [
    safe(question === undefined ? file.name.replace(/\.[^.]*$/, '') : labelOf(question, language)),
    record._submission_time.slice(0, 10),
    safe(record._submitted_by ?? ''),
    String(file.id),
  ]
    .filter(Boolean)
    .join('_') + endingOf(file.name)

export const itemsOf = (
  rows: readonly DataRecord[],
  model: FormModel,
  language: string,
  question: string,
): MediaItem[] =>
  rows.flatMap((record) => {
    const byName = new Map<string, Question>()
    for (const one of mediaQuestions(model)) {
      for (const name of answersTo(one, record as Answers)) byName.set(name, one)
    }
    return record._attachments
      .map((file) => {
        const asked = byName.get(file.name)
        return {
          file,
          question: asked,
          recordId: record._id,
          uuid: record._uuid,
          sentAt: record._submission_time,
          sentBy: record._submitted_by,
          goodName: goodNameOf(record, asked, file, language),
        }
      })
      .filter((item) => question === '' || item.question?.key === question)
  })
