// The cells of tables, as SQL over `submissions`. A question that has no answer is null, which the table shows as n/a;
// a built-in field that has no value is blank.
import { type Column, labelIn, type Slot } from '../../formats/columns/index.js'
import { type Sql, sql } from '../../platform/db/index.js'

export interface CellOptions {
  readonly chosen: 'words' | 'binary' | 'value'
  /** Scheme and host of the files' addresses; undefined shows names. */
  readonly filesAt: string | undefined
  readonly hasChoiceLabels: boolean
  readonly language: string | undefined
  /** What the keys of the column's slot are in: the answers of the record, or an entry of a repeat. */
  readonly answers: Sql
  readonly notesBetween: string
}

/** Belongs behind `from submissions`: large answers are unpacked once a record, not once a cell. */
export const unpackedAnswers: Sql = sql`cross join lateral (select submissions.answers || '{}'::jsonb as answers offset 0) unpacked`

export const unpackedColumn: Sql = sql`unpacked.answers`

const entryOf = ({ slot, entries }: Column, answers: Sql): Sql =>
  entries.reduce(
    (around, entry, depth) => sql`${around} -> ${slot.repeats[depth] ?? ''}::text -> ${entry}::int`,
    answers,
  )

const storedValue = (column: Column, answers: Sql): Sql => {
  const { key, isAlsoRepeat } = column.slot
  const entry = entryOf(column, answers)
  const value = sql`(${entry} ->> ${key}::text)`
  return isAlsoRepeat
    ? sql`case when jsonb_typeof(${entry} -> ${key}::text -> 0) is distinct from 'object' then ${value} end`
    : value
}

const labelsOf = ({ choices }: Slot, language: string | undefined): string =>
  JSON.stringify(
    Object.fromEntries((choices ?? []).map(({ name, labels }) => [name, labelIn(labels, language) ?? name])),
  )

const labelled = (slot: Slot, value: Sql, language: string | undefined): Sql => {
  const labels = labelsOf(slot, language)
  return slot.type === 'select_multiple' || slot.type === 'rank'
    ? sql`(select string_agg(coalesce(${labels}::jsonb ->> word, word), ', ' order by place)
        from unnest(string_to_array(${value}, ' ')) with ordinality as words (word, place))`
    : sql`coalesce(${labels}::jsonb ->> ${value}, ${value})`
}

/** A file that has not arrived has no address. */
const fileAddress = (value: Sql, origin: string): Sql => sql`
  case when submissions.attachments = '[]' then ${value} else coalesce((
    select ${origin}::text || (file ->> 'download_url') from jsonb_array_elements(submissions.attachments) file
    where file ->> 'name' = ${value} limit 1), ${value}) end`

const chosenWords = (
  column: Column & { kind: 'choice' },
  { chosen, hasChoiceLabels, language }: CellOptions,
): [string, string] => {
  if (chosen === 'binary') return ['1', '0']
  if (chosen === 'words') return ['True', 'False']
  const { name, labels } = column.choice
  return [hasChoiceLabels ? (labelIn(labels, language) ?? name) : name, '']
}

export const answerCell = (column: Column, options: CellOptions): Sql => {
  const value = storedValue(column, options.answers)
  if (column.kind === 'choice') {
    const [yes, no] = chosenWords(column, options)
    return sql`case when strpos(' ' || ${value} || ' ', ${` ${column.choice.name} `}::text) > 0 then ${yes}::text
      when ${value} is not null then ${no}::text end`
  }
  if (column.kind === 'part') {
    return sql`case when split_part(${value}, ' ', 4) <> '' and split_part(${value}, ' ', 5) = ''
      then split_part(${value}, ' ', ${column.index + 1}::int) when ${value} is not null then '' end`
  }
  const { slot } = column
  if (slot.kind === 'media' && options.filesAt !== undefined) return fileAddress(value, options.filesAt)
  const hasLabels = options.hasChoiceLabels && slot.kind === 'select' && (slot.choices?.length ?? 0) > 0
  return hasLabels ? labelled(slot, value, options.language) : value
}

const iso = (column: Sql): Sql => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')`

const words = (isTrue: Sql): Sql => sql`case when ${isTrue} then 'True' else 'False' end`

const tags = sql`
  case when submissions.tags = '{}' then '' else (
    select string_agg(case when tag like '%,%' and tag like '% %' then '"' || tag || '"' else tag end, ', ' order by tag)
    from unnest(submissions.tags) tag) end`

const notes = (between: string): Sql => sql`
  case when submissions.notes = '[]' then '' else coalesce((
    select string_agg(note ->> 'note', ${between}::text order by place)
    from jsonb_array_elements(submissions.notes) with ordinality as listed (note, place)), '') end`

const cells = (options: Pick<CellOptions, 'notesBetween'>): Readonly<Record<string, Sql>> => ({
  _id: sql`submissions.id::text`,
  _uuid: sql`submissions.uuid`,
  _submission_time: sql`to_char(submissions.submitted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')`,
  _date_modified: iso(sql`submissions.modified_at`),
  _tags: tags,
  _notes: notes(options.notesBetween),
  _version: sql`submissions.version`,
  _duration: sql`coalesce(submissions.duration::text || '.0', '')`,
  _submitted_by: sql`coalesce(submitters.username, '')`,
  _last_edited_by: sql`
    coalesce((select editors.username from users editors where editors.id = submissions.edited_by), '')`,
  _total_media: sql`submissions.media_total::text`,
  _media_count: sql`submissions.media_count::text`,
  _media_all_received: words(sql`submissions.media_count >= submissions.media_total`),
  _review_status: sql`coalesce(submissions.review_status, '')`,
  _review_comment: sql`coalesce(submissions.review_comment, '')`,
  _review_date: sql`coalesce(${iso(sql`submissions.reviewed_at`)}, '')`,
})

export const reviewNames = ['_review_status', '_review_comment', '_review_date']

export const builtinNames = [
  '_id',
  '_uuid',
  '_submission_time',
  '_date_modified',
  '_tags',
  '_notes',
  '_version',
  '_duration',
  '_submitted_by',
  '_last_edited_by',
  '_total_media',
  '_media_count',
  '_media_all_received',
]

export const builtinCell = (name: string, options: Pick<CellOptions, 'notesBetween'>): Sql =>
  cells(options)[name] ?? sql`''`
