// Counting stored answers for a plan: every statement is one pass over the live records of the form.
import { type Database, type Db, type Sql, sql } from '../../platform/db/index.js'
import { valuesAt } from '../submissions/index.js'

/** A question, by its key and the repeats around it. */
export interface Question {
  readonly key: string
  /** Keys of the repeats around it, the outermost first. */
  readonly repeats: readonly string[]
}

/** Where its answers are in a record; every step may have several. */
const pathOf = ({ key, repeats }: Question): string =>
  ['$', ...[...repeats, key].map((step) => `${JSON.stringify(step)}[*]`)].join('.')

const live = (formId: number): Sql => sql`submissions.form_id = ${formId} and submissions.deleted_at is null`

const column = <T>(questions: readonly Question[], pick: (question: Question) => T): T[] => questions.map(pick)

interface Counted {
  readonly key: string
  readonly count: number
}

const counts = (rows: readonly Counted[]): Map<string, number> => new Map(rows.map(({ key, count }) => [key, count]))

/** Answers to each of these questions. Those outside of repeats are counted by the keys that a record has, so that
 * thousands of them cost no more than one. */
export const countAnswers = async (
  db: Db,
  formId: number,
  questions: readonly Question[],
): Promise<Map<string, number>> => {
  const plain = questions.filter(({ repeats }) => repeats.length === 0)
  const repeated = questions.filter(({ repeats }) => repeats.length > 0)
  const found = [
    plain.length === 0
      ? []
      : await db.rows<Counted>(sql`
          select answered.key, count(*) as count
          from submissions cross join lateral jsonb_object_keys(submissions.answers) as answered (key)
          where ${live(formId)} and answered.key = any(${column(plain, ({ key }) => key)}::text[])
          group by answered.key`),
    repeated.length === 0
      ? []
      : await db.rows<Counted>(sql`
          with wanted as materialized (
            select key, path::jsonpath as path
            from unnest(${column(repeated, ({ key }) => key)}::text[], ${column(repeated, pathOf)}::text[])
              as given (key, path)
          )
          select wanted.key, count(*) as count
          from submissions cross join wanted
          cross join lateral ${valuesAt(sql`submissions.answers`, sql`wanted.path`)} as found (value)
          where ${live(formId)}
          group by wanted.key`),
  ]
  return counts(found.flat())
}

/** Answers that do not match their question's pattern. */
export const countMismatches = async (
  db: Db,
  formId: number,
  questions: readonly (Question & { readonly pattern: string })[],
): Promise<Map<string, number>> => {
  if (questions.length === 0) return new Map()
  return counts(
    await db.rows<Counted>(sql`
      with wanted as materialized (
        select key, path::jsonpath as path, pattern
        from unnest(${column(questions, ({ key }) => key)}::text[], ${column(questions, pathOf)}::text[],
          ${questions.map(({ pattern }) => pattern)}::text[]) as given (key, path, pattern)
      )
      select wanted.key, count(*) as count
      from submissions cross join wanted
      cross join lateral ${valuesAt(sql`submissions.answers`, sql`wanted.path`)} as found (value)
      where ${live(formId)} and found.value #>> '{}' !~ wanted.pattern
      group by wanted.key`),
  )
}

export interface ChoiceQuestion extends Question {
  /** The same list for all questions that share it. */
  readonly names: readonly string[]
  /** Several choices in one answer, separated by blanks. */
  readonly isMultiple: boolean
}

/** The paths are read once: reading them for every record took most of the time. */
const wantedChoices = (questions: readonly ChoiceQuestion[]): Sql => sql`
  wanted as materialized (
    select key, path::jsonpath as path, is_multiple, list
    from unnest(${column(questions, ({ key }) => key)}::text[], ${column(questions, pathOf)}::text[],
      ${questions.map(({ isMultiple }) => isMultiple)}::boolean[], ${listNumbers(questions)}::int[]
    ) as given (key, path, is_multiple, list)
  ),
  listed as materialized (${listed(questions)})`

/** Each choice of an answer. */
const chosen = (formId: number): Sql => sql`
  select wanted.key, wanted.list, chosen.name, submissions.id, found.place
  from submissions cross join wanted
  cross join lateral ${valuesAt(sql`submissions.answers`, sql`wanted.path`)} with ordinality as found (value, place)
  cross join lateral unnest(
    case when wanted.is_multiple then string_to_array(found.value #>> '{}', ' ') else array[found.value #>> '{}'] end
  ) as chosen (name)
  where ${live(formId)}`

const listsOf = (questions: readonly ChoiceQuestion[]) => [...new Set(questions.map(({ names }) => names))]

const listNumbers = (questions: readonly ChoiceQuestion[]): number[] => {
  const numbers = new Map(listsOf(questions).map((names, number) => [names, number]))
  return questions.map(({ names }) => numbers.get(names) ?? 0)
}

const listed = (questions: readonly ChoiceQuestion[]): Sql => {
  const lists = listsOf(questions)
  return sql`
    select distinct list, name from unnest(
      ${lists.flatMap((names, number) => names.map(() => number))}::int[], ${lists.flat()}::text[]) as given (list, name)`
}

/** How many answers have each of the choices; those that nobody chose are left out. */
export const countChosen = async (db: Db, formId: number, questions: readonly ChoiceQuestion[]) =>
  questions.length === 0
    ? []
    : db.rows<{ key: string; name: string; count: number }>(sql`
        with ${wantedChoices(questions)}
        select chosen.key, chosen.name, count(*) as count
        from (${chosen(formId)}) chosen join listed using (list, name)
        group by chosen.key, chosen.name order by chosen.key, count(*) desc, chosen.name`)

/** How many answers have something that is none of the choices. */
export const countUnlisted = async (
  db: Db,
  formId: number,
  questions: readonly ChoiceQuestion[],
): Promise<Map<string, number>> => {
  if (questions.length === 0) return new Map()
  return counts(
    await db.rows<Counted>(sql`
      with ${wantedChoices(questions)}
      select chosen.key, count(distinct (chosen.id, chosen.place)) as count
      from (${chosen(formId)}) chosen left join listed using (list, name)
      where listed.name is null and chosen.name <> ''
      group by chosen.key`),
  )
}

/** Each different answer to a question once, as lines `[text, how often]`; null in place of one that is longer than may
 * be. Control characters separate the columns of COPY: JSON has none of them, so nothing is escaped. */
export const streamAnswers = (db: Database, formId: number, question: Question, longest: number) =>
  db.copyTo(sql`
    copy (
      select json_build_array(answer, count(*))
      from (
        select case when length(found.value #>> '{}') <= ${longest} then found.value #>> '{}' end as answer
        from submissions
        cross join lateral ${valuesAt(sql`submissions.answers`, sql`${pathOf(question)}::jsonpath`)} as found (value)
        where ${live(formId)}
      ) answers
      group by answer
    ) to stdout with (format csv, quote E'\\x01', delimiter E'\\x02')`)

/** Services that the records of the form are forwarded to. */
export const listServicesOf = (db: Db, formId: number) =>
  db.rows<{ id: number; name: string; service_url: string }>(sql`
    select id, kind as name, service_url from rest_services where form_id = ${formId} order by id`)
