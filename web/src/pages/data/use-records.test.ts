import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { effectScope } from 'vue'
import type { RecordRow } from '@/api/record-list'
import { useRecords } from './use-records'

const last = '2026-05-04T10:00:00'
const earlier = '2026-05-04T09:00:00'
const later = '2026-05-04T10:00:01'
const newestFirst = '{"_submission_time":-1}'
const oldestFirst = '{"_submission_time":1}'

/** What is stored, and a server that answers pages and counts of it as the API does, whose times are whole seconds. */
let stored: RecordRow[] = []
const store = (time: string, ...ids: number[]) => {
  stored = [...stored, ...ids.map((_id) => ({ _id, _uuid: `u-${_id}`, _submission_time: time }))]
}
const inUtc = (row: RecordRow) => `${row._submission_time}Z`

interface Condition {
  readonly _submission_time?: { readonly $gte?: string; readonly $lte?: string }
}
const fits = (row: RecordRow, { _submission_time: { $gte = '', $lte = '9' } = {} }: Condition) =>
  inUtc(row) >= $gte && inUtc(row) <= $lte

const answer = (address: URL): Response => {
  const asked = address.searchParams
  const found = stored.filter((row) => fits(row, JSON.parse(asked.get('query') ?? '{}')))
  if (asked.get('count') === 'true') return Response.json([{ count: found.length }])
  const sign = asked.get('sort') === newestFirst ? -1 : 1
  const sorted = found.toSorted((a, b) => sign * (inUtc(a).localeCompare(inUtc(b)) || a._id - b._id))
  const size = Number(asked.get('page_size'))
  const from = (Number(asked.get('page')) - 1) * size
  return Response.json(sorted.slice(from, from + size), { headers: { 'x-total-count': String(found.length) } })
}

const scopes: ReturnType<typeof effectScope>[] = []
/** The table, with its first page loaded. */
const table = async (sort = newestFirst) => {
  const scope = effectScope()
  scopes.push(scope)
  const records = scope.run(() =>
    useRecords({ formId: () => 1, filter: () => ({}), sort: () => sort, slices: () => [['_id']], expected: () => 0 }),
  )
  if (records === undefined) throw new Error('no scope')
  records.want(0, 20, [0])
  await expect.poll(() => records.row(0)).toBeDefined()
  await expect.poll(() => records.shown.value.query).toBeDefined()
  return records
}
const shown = ({ row }: { row: (index: number) => RecordRow | undefined }) =>
  Array.from({ length: 5 }, (_, index) => row(index)?._id).filter(Boolean)

beforeEach(() => {
  stored = []
  vi.stubGlobal('location', { href: 'https://sheaf.example/' })
  vi.stubGlobal('document', { visibilityState: 'visible' })
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('removeEventListener', () => undefined)
  vi.stubGlobal('fetch', async (request: Request) => answer(new URL(request.url)))
})
afterEach(() => {
  for (const scope of scopes.splice(0)) scope.stop()
  vi.unstubAllGlobals()
})

describe('records that come while the table is open', () => {
  it.each([
    ['newest first', newestFirst, [3, 2, 1]],
    ['oldest first', oldestFirst, [1, 2, 3]],
  ])('%s: those of the second of the last one shown announce themselves, too', async (_words, sort, rows) => {
    store(earlier, 1)
    store(last, 2, 3)
    const records = await table(sort)
    expect(shown(records)).toEqual(rows)
    await records.look()
    expect(records.fresh.value).toBe(0)
    store(last, 4)
    await records.look()
    expect(records.fresh.value).toBe(1)
    store(later, 5)
    await records.look()
    expect(records.fresh.value).toBe(2)
    // The rows stay as they are until somebody asks for the new ones.
    expect(shown(records)).toEqual(rows)
    records.begin(true)
    await expect.poll(() => shown(records).length).toBe(5)
    await records.look()
    expect(records.fresh.value).toBe(0)
  })

  it('of an import, of which more than a page is of one second, only those that came later are new', async () => {
    store(last, ...Array.from({ length: 250 }, (_, index) => index + 1))
    const records = await table()
    await records.look()
    expect(records.fresh.value).toBe(0)
    store(last, 251, 252)
    await records.look()
    expect(records.fresh.value).toBe(2)
  })

  it('the first of all announces itself', async () => {
    store(last, 1)
    const records = await table()
    stored = []
    records.begin(false)
    await expect.poll(() => records.shown.value.query).toContain('1970')
    store(later, 2)
    await records.look()
    expect(records.fresh.value).toBe(1)
  })
})
