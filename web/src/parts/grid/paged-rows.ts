// Rows of any number, of which only those in sight are there: pages of an API behind row numbers. What comes in sight is asked for
// a moment later, what leaves it before it came is given up, and the pages that were seen last are kept.
import { onScopeDispose, shallowRef, triggerRef } from 'vue'

/** Wide rows come in slices of their columns: those in sight first. */
export interface Slice {
  readonly page: number
  readonly slice: number
}

export interface PagedOptions<T> {
  readonly pageSize: number
  readonly load: (slice: Slice, signal: AbortSignal) => Promise<readonly T[]>
  /** Slices of one row belong together where this is equal; where not, the page is asked for anew. */
  readonly identity: (row: T) => unknown
  readonly failed: (error: unknown) => void
}

export const keptPages = 40
const pauseMilliseconds = 60
const mostAtOnce = 3

interface Page<T> {
  rows: readonly T[]
  readonly slices: Set<number>
  seen: number
}

export const usePagedRows = <T extends object>({ pageSize, load, identity, failed }: PagedOptions<T>) => {
  const pages = shallowRef(new Map<number, Page<T>>())
  const underWay = new Map<string, AbortController>()
  const refused = new Map<string, number>()
  let wanted: readonly Slice[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let moment = 0
  let generation = 0

  const nameOf = ({ page, slice }: Slice) => `${page}:${slice}`
  const isThere = ({ page, slice }: Slice) => pages.value.get(page)?.slices.has(slice) === true

  const forgetOldest = () => {
    const spare = [...pages.value].sort(([, a], [, b]) => a.seen - b.seen).slice(0, -keptPages)
    for (const [number] of spare) if (!wanted.some(({ page }) => page === number)) pages.value.delete(number)
  }

  const merge = (old: readonly T[], rows: readonly T[]): readonly T[] | undefined => {
    const isSame = old.length === rows.length && old.every((row, at) => identity(row) === identity(rows[at] as T))
    return isSame ? old.map((row, at) => ({ ...row, ...rows[at] })) : undefined
  }

  const put = ({ page, slice }: Slice, rows: readonly T[]) => {
    const known = pages.value.get(page)
    const merged = known === undefined ? undefined : merge(known.rows, rows)
    // Somebody changed what is in it meanwhile: the newer answer stands, and the other slices are asked for again.
    if (known === undefined || merged === undefined) {
      pages.value.set(page, { rows, slices: new Set([slice]), seen: moment })
    } else {
      pages.value.set(page, { rows: merged, slices: new Set([...known.slices, slice]), seen: moment })
    }
    forgetOldest()
    triggerRef(pages)
  }

  const fetchOne = async (slice: Slice) => {
    const name = nameOf(slice)
    const controller = new AbortController()
    const mine = generation
    underWay.set(name, controller)
    try {
      const rows = await load(slice, controller.signal)
      if (mine === generation && !controller.signal.aborted) put(slice, rows)
    } catch (error) {
      if (mine !== generation || controller.signal.aborted) return
      // Not again at once: the next look at it tries again after a while.
      refused.set(name, Date.now() + 5000)
      failed(error)
    } finally {
      if (underWay.get(name) === controller) underWay.delete(name)
      if (mine === generation) fetchWanted()
    }
  }

  const fetchWanted = () => {
    const names = new Set(wanted.map(nameOf))
    for (const [name, controller] of underWay) {
      if (names.has(name)) continue
      controller.abort()
      underWay.delete(name)
    }
    for (const slice of wanted) {
      if (underWay.size >= mostAtOnce) return
      const name = nameOf(slice)
      if (isThere(slice) || underWay.has(name) || (refused.get(name) ?? 0) > Date.now()) continue
      void fetchOne(slice)
    }
  }

  /** These rows are in sight, with these slices of their columns. */
  const want = (from: number, to: number, slices: readonly number[]) => {
    moment += 1
    const next: Slice[] = []
    for (
      let page = Math.floor(Math.max(0, from) / pageSize);
      page <= Math.floor(Math.max(0, to) / pageSize);
      page += 1
    ) {
      const known = pages.value.get(page)
      if (known !== undefined) known.seen = moment
      for (const slice of slices) next.push({ page, slice })
    }
    wanted = next
    if (next.every(isThere)) return
    timer ??= setTimeout(() => {
      timer = undefined
      fetchWanted()
    }, pauseMilliseconds)
  }

  const row = (index: number): T | undefined => pages.value.get(Math.floor(index / pageSize))?.rows[index % pageSize]

  /** The first row that is known and fits. */
  const indexOf = (fits: (row: T) => boolean): number => {
    for (const [number, { rows }] of pages.value) {
      const at = rows.findIndex(fits)
      if (at >= 0) return number * pageSize + at
    }
    return -1
  }

  const stop = () => {
    generation += 1
    for (const controller of underWay.values()) controller.abort()
    underWay.clear()
    refused.clear()
    clearTimeout(timer)
    timer = undefined
  }

  /** Nothing is known any more. With `keeps` the old rows stay in sight until new ones are there. */
  const reset = ({ keeps = false }: { keeps?: boolean } = {}) => {
    stop()
    if (keeps) for (const page of pages.value.values()) page.slices.clear()
    else pages.value = new Map()
    if (wanted.length > 0) fetchWanted()
  }

  onScopeDispose(stop)
  return { row, want, reset, indexOf }
}

export type PagedRows<T extends object> = ReturnType<typeof usePagedRows<T>>
