// Charts of some records: those that a list of the same parameters shows.
import type { Database } from '../../platform/db/index.js'
import { ListParams, type ListQuery, readList } from '../data/index.js'
import type { Subject } from './subject.js'

const { query, data, search, bbox, polygon, geo_field } = ListParams.properties

/** What chooses records in lists, and does so in charts: times, tags and the like are asked for by `query`. */
export const NarrowingQuery = { query, data, search, bbox, polygon, geo_field }

const names = Object.keys(NarrowingQuery)

export type Narrowing = Readonly<Record<string, string>>

const narrowingIn = (asked: ListQuery): Narrowing =>
  Object.fromEntries(names.flatMap((name) => (asked[name]?.trim() ? [[name, asked[name] as string]] : [])))

/** 400 for what a list refuses. */
export const narrowed = async (db: Database, subject: Subject, asked: ListQuery): Promise<Subject> => {
  const narrowing = narrowingIn(asked)
  if (Object.keys(narrowing).length === 0) return subject
  const { seen, condition: within } = subject.population
  const { condition, filters } = await readList(db, seen, narrowing)
  return {
    ...subject,
    narrowing,
    population: { seen, condition: { kind: 'and', conditions: [within, condition] }, filters },
    scope: [...subject.scope, narrowing],
  }
}
