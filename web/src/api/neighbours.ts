// The records before and after one, in the order and the filter of the table.
import { countRecords, narrowed } from './record-list'
import { listRecords, type RecordFilter } from './records'

export interface Neighbours {
  readonly at: number
  readonly total: number
  readonly previous: string | undefined
  readonly next: string | undefined
}

export interface Stood {
  readonly id: number
  /** What it has in the field by which the list is sorted; undefined where it has nothing. */
  readonly value: string | number | undefined
}

/** New records move those below them: as far as this one is found beside its old place. */
const reach = 100
/** Where its place cannot be counted, it is looked for among these. */
const mostSearched = 10_000

/** Which records stand before this one: the missing come last, first when descending, and ties go by number. */
export const beforeIn = (sort: string, { id, value }: Stood): object => {
  const isDescending = sort.startsWith('-')
  const key = isDescending ? sort.slice(1) : sort
  if (key === '_id') return { _id: { [isDescending ? '$gt' : '$lt']: id } }
  const older = { _id: { $lt: id } }
  if (value === undefined) {
    const alike = { $and: [{ [key]: { $exists: false } }, older] }
    return isDescending ? alike : { $or: [{ [key]: { $exists: true } }, alike] }
  }
  const alike = { $and: [{ [key]: value }, older] }
  return isDescending
    ? { $or: [{ [key]: { $gt: value } }, { [key]: { $exists: false } }, alike] }
    : { $or: [{ [key]: { $lt: value } }, alike] }
}

const askedBy = (filter: RecordFilter): Record<string, string> =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined && value !== ''))

/** `at` is where it stood when the list was seen; a link that says nothing of it has its place counted. */
export const getNeighbours = async (
  formId: number,
  filter: RecordFilter & { readonly sort: string },
  stood: Stood,
  at: number,
): Promise<Neighbours | undefined> => {
  const around = async (place: number): Promise<Neighbours | undefined> => {
    const start = Math.max(0, place - reach)
    const [{ rows }, { total }] = await Promise.all([
      listRecords(formId, filter, ['_id', '_uuid'], { start, limit: place - start + reach + 1 }),
      listRecords(formId, filter, ['_id'], { page: 1, page_size: 1 }),
    ])
    const found = rows.findIndex(({ _id }) => _id === stood.id)
    if (found < 0) return undefined
    const isCut = (found === 0 && start > 0) || (found === rows.length - 1 && start + found < total - 1)
    if (isCut && place !== start + found) return around(start + found)
    return { at: start + found, total, previous: rows[found - 1]?._uuid, next: rows[found + 1]?._uuid }
  }
  const counted = async (): Promise<number> => {
    const { sort: _sort, query, ...rest } = askedBy(filter)
    return countRecords(formId, { ...rest, query: narrowed(query, beforeIn(filter.sort, stood)) })
  }
  const searched = async (): Promise<number> => {
    const { rows } = await listRecords(formId, filter, ['_id'], { start: 0, limit: mostSearched })
    return rows.findIndex(({ _id }) => _id === stood.id)
  }
  const known = at >= 0 ? await around(at) : undefined
  if (known !== undefined) return known
  const near = await around(await counted())
  if (near !== undefined) return near
  const place = await searched()
  return place < 0 ? undefined : around(place)
}
