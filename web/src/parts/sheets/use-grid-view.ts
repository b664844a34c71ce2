// What of a sheet is on the screen: which rows are lines, which columns are in sight, how wide they are.
import { computed, type Ref, ref, shallowRef } from 'vue'
import { kept } from '@/base/kept'
import { followMedia } from '@/base/media'
import { direction } from '@/texts'
import { arrange, bounded, type GridColumn, plainLayout } from '../grid/layout'
import { useScroll } from '../grid/use-scroll'
import { looksOf } from './cell-view'
import { readHeader } from './columns'
import { hiddenRows, shapesOf } from './structure'
import type { Place, Sheet } from './workbook'

export const lineHeight = 34
export const headHeight = 38
/** Empty lines below the last row, to type into. */
const spareLines = 24

const usualWidths = new Map<string, number>([
  ['type', 210],
  ['name', 150],
  ['list_name', 150],
  ['label', 280],
  ['hint', 200],
  ['required', 100],
  ['read_only', 100],
])
/** Where the sheet has less room: beside the row and the preview, and on a phone, where a type is its icon. */
const tightWidths = new Map<string, number>([
  ['type', 160],
  ['name', 130],
  ['label', 240],
])
const narrowWidths = new Map<string, number>([
  ['type', 56],
  ['name', 120],
  ['label', 220],
])
const leading = new Set(['type', 'name', 'list_name'])

const areWidths = (value: unknown): value is Record<string, number> =>
  typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'number')

export const useGridView = (
  box: Ref<HTMLElement | undefined>,
  sheet: () => Sheet,
  options: { isReadOnly: () => boolean },
) => {
  /** Of all forms: a column that somebody drew wider is so in the next one. */
  const widths = kept<Record<string, number>>('sheaf-sheet-widths', {}, areWidths)
  /** Groups whose rows are not shown, by the rows that begin them. */
  const closed = shallowRef<ReadonlySet<number>>(new Set())
  const drawn = ref<{ key: string; width: number }>()

  const hidden = computed(() => hiddenRows(sheet(), closed.value))
  const visible = computed(() => {
    const all = sheet().rows.keys()
    return hidden.value.size === 0 ? [...all] : [...all].filter((row) => !hidden.value.has(row))
  })
  const lines = computed(() => visible.value.length + (options.isReadOnly() ? 0 : spareLines))
  const rowOf = (line: number): number => visible.value[line] ?? sheet().rows.length + line - visible.value.length
  /** Of a hidden row, the line of the group that hides it. */
  const lineOf = (row: number): number => {
    if (row >= sheet().rows.length) return visible.value.length + row - sheet().rows.length
    let [low, high] = [0, visible.value.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((visible.value[middle] ?? 0) <= row) low = middle
      else high = middle - 1
    }
    return Math.max(0, low)
  }

  const scroll = useScroll(box, { total: () => lines.value, rowHeight: () => lineHeight, headHeight: () => headHeight })
  /** A phone: a cell is typed into at the lower end of the screen. */
  const isNarrow = followMedia('(max-width: 40rem)')
  const isTight = computed(() => scroll.view.value.width > 0 && scroll.view.value.width < 800)
  const gutter = computed(() => (isNarrow.value ? 54 : 64))
  const usualWidth = (base: string): number => {
    const fitting = isNarrow.value ? narrowWidths : isTight.value ? tightWidths : usualWidths
    return fitting.get(base) ?? usualWidths.get(base) ?? 170
  }
  /** What says which row it is stays in sight, as far as half of the room is left for the others. */
  const pinnedColumns = computed(() => (isNarrow.value || scroll.view.value.width < 560 ? 1 : 2))

  const widthKey = (header: string): string => `${sheet().name}:${header}`
  /** The same while only cells change, and so is all that follows from it: one line is painted for one cell. */
  const own = computed(() => sheet().columns)
  const name = computed(() => sheet().name)
  const columns = computed((): GridColumn[] => {
    const all = own.value
    const isLeading = (at: number) =>
      all.slice(0, at + 1).every(({ header }) => leading.has(readHeader(header).base.toLowerCase()))
    return all.map(({ id, header }, at) => {
      const base = readHeader(header).base.toLowerCase()
      const kept = isNarrow.value ? undefined : widths.value[`${name.value}:${header}`]
      const wished = drawn.value?.key === String(id) ? drawn.value.width : kept
      return {
        key: String(id),
        label: header,
        width: bounded(wished ?? usualWidth(base)),
        groups: [],
        startsPinned: at < pinnedColumns.value && isLeading(at) && (!isNarrow.value || base === 'type'),
      }
    })
  })
  const arranged = computed(() => arrange(columns.value, plainLayout, gutter.value))
  const looks = computed(() => looksOf({ name: name.value, columns: own.value }))

  const across = ref(0)
  const onScroll = () => {
    scroll.onScroll()
    across.value = Math.abs(box.value?.scrollLeft ?? 0)
  }
  /** Of the columns that scroll, those in sight. */
  const sighted = computed<{ from: number; to: number }>((former) => {
    const { free, pinnedWidth } = arranged.value
    const [from, to] = [across.value + pinnedWidth, across.value + scroll.view.value.width]
    const first = free.findIndex(({ start, width }) => start + width > from)
    const past = free.findIndex(({ start }) => start >= to)
    const begin = Math.max(0, first - 1)
    const end = past < 0 ? free.length : Math.min(free.length, past + 1)
    return former?.from === begin && former.to === end ? former : { from: begin, to: end }
  })

  const showColumn = (column: number) => {
    const [place, element] = [arranged.value.placed[column], box.value]
    if (place === undefined || element === undefined || place.isPinned) return
    const sign = direction.value === 'rtl' ? -1 : 1
    const { pinnedWidth } = arranged.value
    const [at, room] = [Math.abs(element.scrollLeft), element.clientWidth]
    if (place.start - pinnedWidth < at) element.scrollLeft = sign * (place.start - pinnedWidth)
    else if (place.start + place.width > at + room) {
      element.scrollLeft = sign * Math.min(place.start - pinnedWidth, place.start + place.width - room)
    }
  }
  const show = ({ row, column }: Place) => {
    if (row >= 0) scroll.showRow(lineOf(row))
    showColumn(column)
  }

  const fold = (rows: readonly number[], isClosed: boolean) => {
    const next = new Set(closed.value)
    for (const row of rows) {
      const id = sheet().rows[row]?.id
      if (id !== undefined) isClosed ? next.add(id) : next.delete(id)
    }
    closed.value = next
  }
  const isClosed = (row: number): boolean => closed.value.has(sheet().rows[row]?.id ?? -1)
  /** Opens what hides a row. */
  const uncover = (row: number) => {
    if (!hidden.value.has(row)) return
    const around = shapesOf(sheet()).flatMap(({ kind, counterpart }, at) =>
      kind === 'begin' && at < row && counterpart >= row ? [at] : [],
    )
    fold(around, false)
  }
  const foldAll = (close: boolean) =>
    fold(
      shapesOf(sheet()).flatMap(({ kind }, at) => (kind === 'begin' ? [at] : [])),
      close,
    )
  const hasGroups = computed(() => shapesOf(sheet()).some(({ kind }) => kind === 'begin'))

  const keepWidth = () => {
    const now = drawn.value
    drawn.value = undefined
    const header = sheet().columns.find(({ id }) => String(id) === now?.key)?.header
    if (now !== undefined && header !== undefined) {
      widths.value = { ...widths.value, [widthKey(header)]: bounded(now.width) }
    }
  }
  const widen = (column: number, by: number) => {
    const place = arranged.value.placed[column]
    if (place === undefined) return
    drawn.value = { key: place.column.key, width: place.width + by }
    keepWidth()
  }

  return {
    scroll,
    onScroll,
    across,
    arranged,
    looks,
    sighted,
    isNarrow,
    gutter,
    lines,
    filled: computed(() => visible.value.length),
    rowOf,
    lineOf,
    show,
    fold,
    foldAll,
    hasGroups,
    isClosed,
    uncover,
    drawn,
    keepWidth,
    widen,
  }
}

export type GridView = ReturnType<typeof useGridView>
