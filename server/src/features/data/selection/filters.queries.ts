// Filters as SQL, over `submissions`.
import { join, pgArray, type Sql, sql } from '../../../platform/db/index.js'
import { normalizeUsername } from '../../users/index.js'
import { liesIn } from './areas.queries.js'
import type { DateField, DatePart, Filter, Operator } from './filters.js'

const operators: Readonly<Record<Operator, Sql>> = {
  eq: sql`=`,
  lt: sql`<`,
  lte: sql`<=`,
  gt: sql`>`,
  gte: sql`>=`,
}

const texts = {
  version: sql`submissions.version`,
  status: sql`submissions.status`,
  uuid: sql`submissions.uuid`,
  survey_type__slug: sql`submissions.root_name`,
}

const times: Readonly<Record<DateField, Sql>> = {
  date_created: sql`submissions.submitted_at`,
  date_modified: sql`submissions.modified_at`,
  last_edited: sql`submissions.edited_at`,
}

const parts: Readonly<Record<DatePart, Sql>> = { year: sql`year`, month: sql`month`, day: sql`day` }

const conditionOf = (filter: Filter): Sql => {
  switch (filter.kind) {
    case 'text':
      return sql`${texts[filter.field]} collate "C" ${operators[filter.operator]} ${filter.text}::text`
    case 'part':
      return sql`extract(${parts[filter.part]} from ${times[filter.field]} at time zone 'UTC')
        ${operators[filter.operator]} ${filter.number}::int`
    case 'moment':
      return sql`${times[filter.field]} ${operators[filter.operator]} ${filter.text}::timestamptz`
    case 'user id':
      return sql`submissions.submitted_by = ${filter.id}::int`
    case 'username':
      return sql`submissions.submitted_by = (
        select users.id from users where users.username = ${normalizeUsername(filter.name)}::text)`
    case 'media received':
      return sql`(submissions.media_count >= submissions.media_total) = ${filter.isReceived}::boolean`
    case 'tags':
      return sql`submissions.tags && ${pgArray(filter.tags)}::text[]`
    case 'not tagged':
      return sql`not submissions.tags && ${pgArray(filter.tags)}::text[]`
    case 'within':
      return liesIn(filter.area, filter.places)
  }
}

export const filtered = (filters: readonly Filter[]): Sql =>
  filters.length === 0 ? sql`true` : join(filters.map(conditionOf), ' and ')
