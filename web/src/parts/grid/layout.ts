// Where the columns of a grid stand: which are shown, in which order, how wide, which stay in sight. What a person has arranged is
// kept by key, so that a form that gets or loses questions keeps the rest of it.

export interface GridGroup {
  readonly key: string
  readonly label: string
}

export interface GridColumn {
  readonly key: string
  readonly label: string
  /** More of it, shown when pointed at. */
  readonly about?: string
  readonly width: number
  readonly align?: 'start' | 'end'
  /** From the outermost to the innermost: headers over the columns. */
  readonly groups: readonly GridGroup[]
  readonly isSortable?: boolean
  /** Not shown until somebody wants it. */
  readonly startsHidden?: boolean
  readonly startsPinned?: boolean
}

/** What a person changed; everything else is as the columns say. */
export interface GridLayout {
  readonly order: readonly string[]
  readonly shown: Readonly<Record<string, boolean>>
  readonly pinned: Readonly<Record<string, boolean>>
  readonly widths: Readonly<Record<string, number>>
}

export const plainLayout: GridLayout = { order: [], shown: {}, pinned: {}, widths: {} }

const isRecordOf = (value: unknown, type: 'boolean' | 'number'): boolean =>
  typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === type)

export const isLayout = (value: unknown): value is GridLayout => {
  if (typeof value !== 'object' || value === null) return false
  const { order, shown, pinned, widths } = value as Readonly<Record<string, unknown>>
  const isOrder = Array.isArray(order) && order.every((one) => typeof one === 'string')
  return isOrder && isRecordOf(shown, 'boolean') && isRecordOf(pinned, 'boolean') && isRecordOf(widths, 'number')
}

export interface Placed {
  readonly column: GridColumn
  /** Among those that are shown. */
  readonly index: number
  readonly start: number
  readonly width: number
  readonly isPinned: boolean
}

export interface Arranged {
  readonly placed: readonly Placed[]
  readonly pinned: readonly Placed[]
  readonly free: readonly Placed[]
  readonly width: number
  readonly pinnedWidth: number
}

export const [narrowest, widest] = [56, 900]
export const bounded = (width: number): number => Math.round(Math.max(narrowest, Math.min(widest, width)))

export const isShown = (column: GridColumn, layout: GridLayout): boolean =>
  layout.shown[column.key] ?? !column.startsHidden
export const isPinned = (column: GridColumn, layout: GridLayout): boolean =>
  layout.pinned[column.key] ?? column.startsPinned === true

/** In the person's order; a column that is newer than that order stands after the one before it in the form. */
export const ordered = (columns: readonly GridColumn[], order: readonly string[]): readonly GridColumn[] => {
  if (order.length === 0) return columns
  const byKey = new Map(columns.map((column) => [column.key, column]))
  const known = new Set(order)
  const keys = order.filter((key) => byKey.has(key))
  const followers = new Map<string, string[]>()
  let before = ''
  for (const { key } of columns) {
    if (known.has(key)) before = key
    else followers.set(before, [...(followers.get(before) ?? []), key])
  }
  return ['', ...keys].flatMap((key) => [key, ...(followers.get(key) ?? [])]).flatMap((key) => byKey.get(key) ?? [])
}

/** `lead` is what stands before the first column: room for ticks. */
export const arrange = (columns: readonly GridColumn[], layout: GridLayout, lead = 0): Arranged => {
  const shown = ordered(columns, layout.order).filter((column) => isShown(column, layout))
  const first = shown.filter((column) => isPinned(column, layout))
  const rest = shown.filter((column) => !isPinned(column, layout))
  let start = lead
  const placed = [...first, ...rest].map((column, index): Placed => {
    const width = bounded(layout.widths[column.key] ?? column.width)
    start += width
    return { column, index, start: start - width, width, isPinned: index < first.length }
  })
  const pinned = placed.slice(0, first.length)
  return {
    placed,
    pinned,
    free: placed.slice(first.length),
    width: start,
    pinnedWidth: pinned.reduce((sum, { width }) => sum + width, lead),
  }
}

export interface GroupHead {
  readonly key: string
  readonly label: string
  readonly level: number
  /** The first and the last column under it. */
  readonly first: number
  readonly last: number
  readonly start: number
  readonly width: number
  readonly isPinned: boolean
}

/** The headers over columns: neighbours of one group share one. Level 0 is the outermost. */
export const groupHeads = ({ placed }: Arranged): readonly (readonly GroupHead[])[] => {
  const levels = Math.max(0, ...placed.map(({ column }) => column.groups.length))
  return Array.from({ length: levels }, (_, level) => {
    const heads: GroupHead[] = []
    for (const { column, index, start, width, isPinned: pinned } of placed) {
      const group = column.groups[level]
      if (group === undefined) continue
      const before = heads.at(-1)
      if (before !== undefined && before.key === group.key && before.last === index - 1 && before.isPinned === pinned) {
        heads[heads.length - 1] = { ...before, last: index, width: before.width + width }
      } else {
        heads.push({ ...group, level, first: index, last: index, start, width, isPinned: pinned })
      }
    }
    return heads
  })
}

const keysOf = (columns: readonly GridColumn[], layout: GridLayout): string[] =>
  ordered(columns, layout.order).map(({ key }) => key)

/** Before another column, or at the end. */
export const moved = (
  columns: readonly GridColumn[],
  layout: GridLayout,
  key: string,
  before: string | undefined,
): GridLayout => {
  if (key === before) return layout
  const keys = keysOf(columns, layout).filter((one) => one !== key)
  const at = before === undefined ? keys.length : keys.indexOf(before)
  return { ...layout, order: [...keys.slice(0, at), key, ...keys.slice(at)] }
}

/** One step among those that are shown. */
export const stepped = (columns: readonly GridColumn[], layout: GridLayout, key: string, step: 1 | -1): GridLayout => {
  const { placed } = arrange(columns, layout)
  const at = placed.findIndex(({ column }) => column.key === key)
  const neighbour = placed[at + step]
  if (at < 0 || neighbour === undefined || neighbour.isPinned !== placed[at]?.isPinned) return layout
  return moved(columns, layout, key, step < 0 ? neighbour.column.key : placed[at + 2]?.column.key)
}

export const withWidth = (layout: GridLayout, key: string, width: number): GridLayout => ({
  ...layout,
  widths: { ...layout.widths, [key]: bounded(width) },
})
export const withShown = (layout: GridLayout, key: string, is: boolean): GridLayout => ({
  ...layout,
  shown: { ...layout.shown, [key]: is },
})
export const withPinned = (layout: GridLayout, key: string, is: boolean): GridLayout => ({
  ...layout,
  pinned: { ...layout.pinned, [key]: is },
})
