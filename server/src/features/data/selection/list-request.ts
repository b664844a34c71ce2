// What a list is asked for, read once for every representation: filters, query, order, page.
import { type FormShape, shapeOf } from '../../../formats/columns/index.js'
import {
  type AnswersOfForm,
  keysIn,
  parseFields,
  parseQuery,
  parseSort,
  type SortKey,
  type Target,
  type TypedCondition,
  targetOf,
  typed,
} from '../../../formats/query/index.js'
import type { Database } from '../../../platform/db/index.js'
import { type FieldErrors, largestPageSize } from '../../../platform/http/index.js'
import { type Definition, formModels } from '../../forms/index.js'
import type { SeenForm } from './access.js'
import { type Filter, readFilters } from './filters.js'
import { badRange, readQuery } from './selection.errors.js'
import { refuseUnknown, sortable } from './unknown-fields.js'

export type SortBy = SortKey & { readonly target: Target }

/** What a kept view shows of a form's records: those that match, and of each these fields. */
export interface DataPart {
  readonly condition: TypedCondition
  readonly columns: readonly string[]
}

export interface ListRequest {
  readonly seen: SeenForm
  readonly shape: FormShape
  /** Undefined: whole records. */
  readonly columns: readonly string[] | undefined
  readonly filters: readonly Filter[]
  readonly condition: TypedCondition
  readonly sort: readonly SortBy[]
  readonly page: string | undefined
  readonly pageSize: string | undefined
  readonly start: number | undefined
  readonly limit: number | undefined
  /** Records of a page that names no size, and of a list that is cut into pages by itself. */
  readonly automaticSize: number
}

export interface ListQuery {
  readonly query?: string
  readonly data?: string
  readonly search?: string
  readonly sort?: string
  readonly page?: string
  readonly page_size?: string
  readonly start?: string
  readonly limit?: string
  readonly [filter: string]: string | undefined
}

const shapes = new WeakMap<Definition, Promise<FormShape>>()

/** The form over all of its versions; made once for each set of versions. */
export const shapeOfForm = async (db: Database, formId: number): Promise<FormShape> =>
  shapeOfVersions(await formModels(db).all(db, formId))

/** The same, from all definitions of one form, the oldest first. */
export const shapeOfVersions = (definitions: readonly Definition[]): Promise<FormShape> => {
  const newest = definitions.at(-1)
  if (newest === undefined) return shapeOf([])
  // A version never changes, and a new one is a new newest.
  const shape = shapes.get(newest) ?? shapeOf(definitions.map(({ fields }) => fields))
  shapes.set(newest, shape)
  return shape
}

export const answersIn =
  (shape: FormShape): AnswersOfForm =>
  (key) => {
    const slots = shape.slotsOf(key)
    return slots[0] === undefined ? undefined : { places: slots, kind: slots[0].kind }
  }

/** The fields that are asked for; undefined: all. */
export const fieldsOf = (query: Readonly<Record<string, string | undefined>>): readonly string[] | undefined =>
  readQuery(() => parseFields(query.fields ?? ''))

/** Text that is no integer says nothing; a negative number is a mistake. */
const countIn = (text: string | undefined): number | undefined => {
  const digits = text?.trim() ?? ''
  if (/^-\d+$/.test(digits) && Number(digits) < 0) throw badRange()
  return /^-?\d{1,15}$/.test(digits) ? Math.abs(Number(digits)) : undefined
}

export interface ListScope {
  readonly part?: DataPart | undefined
  readonly automaticSize?: number | undefined
  /** What is wrong with other parameters, to be told together. */
  readonly faults?: FieldErrors | undefined
}

/** The query, what is searched for, and the part that it is asked of: all must hold. */
const allOf = (query: TypedCondition, search: string, part: DataPart | undefined): TypedCondition => {
  const others: TypedCondition[] = [
    ...(part === undefined ? [] : [part.condition]),
    ...(search === '' ? [] : [{ kind: 'search' as const, text: search }]),
  ]
  return others.length === 0 ? query : { kind: 'and', conditions: [...others, query] }
}

export const readList = async (
  db: Database,
  seen: SeenForm,
  parameters: ListQuery,
  { part, automaticSize = largestPageSize, faults }: ListScope = {},
): Promise<ListRequest> => {
  const shape = await shapeOfForm(db, seen.form.id)
  const answers = answersIn(shape)
  const [query, order] = readQuery(() => [
    parseQuery(parameters.query ?? parameters.data ?? ''),
    parseSort(parameters.sort ?? ''),
  ])
  await refuseUnknown(db, seen, shape, { query: keysIn(query), sort: new Set(order.map(({ key }) => key)) })
  return readQuery(() => ({
    seen,
    shape,
    columns: part?.columns,
    filters: readFilters(parameters, shape, faults),
    condition: allOf(typed(query, answers), parameters.search?.trim() ?? '', part),
    sort: order.map((key) => ({ ...key, target: sortable(key.key, targetOf(key.key, answers)) })),
    page: parameters.page,
    pageSize: parameters.page_size,
    start: countIn(parameters.start),
    limit: countIn(parameters.limit) || undefined,
    automaticSize,
  }))
}
