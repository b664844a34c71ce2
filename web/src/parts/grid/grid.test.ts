import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { effectScope } from 'vue'
import {
  arrange,
  type GridColumn,
  groupHeads,
  isLayout,
  moved,
  ordered,
  plainLayout,
  stepped,
  withPinned,
  withShown,
  withWidth,
} from './layout'
import { keptPages, usePagedRows } from './paged-rows'
import { target } from './use-cursor'
import { scaleOf, tallest } from './use-scroll'

const group = (key: string) => ({ key, label: key.toUpperCase() })
const column = (key: string, ...groups: string[]): GridColumn => ({
  key,
  label: key,
  width: 100,
  groups: groups.map(group),
})
const columns = [column('a'), column('b', 'g'), column('c', 'g', 'h'), column('d', 'g'), column('e')]
const keys = (list: readonly { column: GridColumn }[]) => list.map((one) => one.column.key).join('')

describe('columns', () => {
  it('stand one after the other, pinned ones first', () => {
    const { placed, width, pinnedWidth } = arrange(columns, withPinned(withWidth(plainLayout, 'c', 200), 'd', true), 40)
    expect(keys(placed)).toBe('dabce')
    expect(placed.map(({ start }) => start)).toEqual([40, 140, 240, 340, 540])
    expect([width, pinnedWidth]).toEqual([640, 140])
  })

  it('neighbours of one group share a head, which a column between them parts', () => {
    const shape = (layout = plainLayout) =>
      groupHeads(arrange(columns, layout)).map((level) => level.map(({ key, first, last }) => `${key}${first}${last}`))
    expect(shape()).toEqual([['g13'], ['h22']])
    expect(shape(moved(columns, plainLayout, 'e', 'c'))).toEqual([['g11', 'g34'], ['h33']])
    expect(shape(withShown(plainLayout, 'c', false))).toEqual([['g12']])
  })

  it('move by a step and by a drop; a question that is new stands after the one before it', () => {
    expect(keys(arrange(columns, stepped(columns, plainLayout, 'a', 1)).placed)).toBe('bacde')
    expect(keys(arrange(columns, stepped(columns, plainLayout, 'e', -1)).placed)).toBe('abced')
    expect(stepped(columns, plainLayout, 'a', -1)).toBe(plainLayout)
    expect(keys(arrange(columns, moved(columns, plainLayout, 'a', undefined)).placed)).toBe('bcdea')
    const names = ordered(columns, ['e', 'gone', 'b']).map(({ key }) => key)
    expect(names.join('')).toBe('aebcd')
  })

  it('what was stored by something else is no layout', () => {
    expect(isLayout(plainLayout)).toBe(true)
    for (const other of [null, 'x', {}, { ...plainLayout, order: [1] }, { ...plainLayout, widths: { a: 'x' } }]) {
      expect(isLayout(other)).toBe(false)
    }
  })
})

describe('keys', () => {
  const options = { rows: () => 100, columns: () => 5, page: () => 10, isRightToLeft: () => false }
  const press = (key: string, more: object = {}, rtl = false) =>
    target(
      { key, ctrlKey: false, metaKey: false, ...more },
      { row: 50, column: 2 },
      { ...options, isRightToLeft: () => rtl },
    )

  it.each([
    ['ArrowDown', {}, 51, 2],
    ['ArrowLeft', {}, 50, 1],
    ['PageUp', {}, 40, 2],
    ['End', {}, 50, 4],
    ['Home', { ctrlKey: true }, 0, 0],
    ['End', { metaKey: true }, 99, 4],
  ])('%s %j', (key, more, row, at) => expect(press(key, more)).toEqual({ row, column: at }))

  it('sides are turned round where text runs from right to left; the head is above the first row', () => {
    expect(press('ArrowLeft', {}, true)).toEqual({ row: 50, column: 3 })
    expect(target({ key: 'ArrowUp', ctrlKey: false, metaKey: false }, { row: 0, column: 0 }, options)?.row).toBe(-1)
    expect(press('x')).toBeUndefined()
  })
})

describe('a scroll bar beyond what browsers hold', () => {
  it('reaches the last row of ten million', () => {
    const [height, view] = [10_000_000 * 36, 600]
    expect(scaleOf(1000, view)).toBe(1)
    expect((tallest - view) * scaleOf(height, view)).toBeCloseTo(height - view, 3)
  })
})

describe('rows behind pages', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  interface Row {
    readonly id: number
    readonly [key: string]: number
  }
  const start = (load: (page: number, slice: number, signal: AbortSignal) => Promise<readonly Row[]>) => {
    const faults: unknown[] = []
    const scope = effectScope()
    const rows = scope.run(() =>
      usePagedRows<Row>({
        pageSize: 10,
        load: ({ page, slice }, signal) => load(page, slice, signal),
        identity: ({ id }) => id,
        failed: (fault) => faults.push(fault),
      }),
    )
    if (rows === undefined) throw new Error('no scope')
    return { rows, faults, scope }
  }
  const page = (number: number, slice = 0): Row[] =>
    Array.from({ length: 10 }, (_, at) => ({ id: number * 10 + at, [`s${slice}`]: 1 }))
  const soon = () => vi.advanceTimersByTimeAsync(100)

  it('asks for what is in sight alone, once, and gives up what left it', async () => {
    const asked: string[] = []
    const { rows } = start((number, slice, signal) => {
      asked.push(`${number}:${slice}`)
      return new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('gone')))
        if (number !== 5) setTimeout(() => resolve(page(number, slice)), 10)
      })
    })
    rows.want(0, 12, [0])
    rows.want(0, 12, [0])
    await soon()
    expect([asked, rows.row(11)?.id, rows.row(25)]).toEqual([['0:0', '1:0'], 11, undefined])
    rows.want(50, 55, [0])
    await soon()
    rows.want(90, 95, [0])
    await soon()
    expect([asked.slice(2), rows.row(51), rows.row(90)?.id]).toEqual([['5:0', '9:0'], undefined, 90])
  })

  it('slices of one row become one row; a page whose rows changed meanwhile is the newer answer', async () => {
    let shift = 0
    const { rows } = start(async (number, slice) => page(number, slice).map((row) => ({ ...row, id: row.id + shift })))
    rows.want(0, 5, [0])
    await soon()
    rows.want(0, 5, [0, 1])
    await soon()
    expect(rows.row(3)).toEqual({ id: 3, s0: 1, s1: 1 })
    shift = 1
    rows.want(0, 5, [0, 2])
    await soon()
    expect(rows.row(3)).toMatchObject({ id: 4, s2: 1 })
  })

  it('forgets what was not seen for long', async () => {
    const { rows } = start(async (number) => page(number))
    for (let at = 0; at <= keptPages + 5; at += 1) {
      rows.want(at * 10, at * 10 + 5, [0])
      await soon()
    }
    expect([rows.row(0), rows.row((keptPages + 5) * 10)?.id]).toEqual([undefined, (keptPages + 5) * 10])
  })

  it('tells a failure, and asks again later; after a reset nothing old arrives', async () => {
    let isDown = true
    const { rows, faults } = start(async (number) => {
      if (isDown) throw new Error('down')
      return page(number)
    })
    rows.want(0, 5, [0])
    await soon()
    expect([faults.length, rows.row(0)]).toEqual([1, undefined])
    isDown = false
    rows.reset()
    await soon()
    expect(rows.row(0)?.id).toBe(0)
    expect(rows.indexOf(({ id }) => id === 7)).toBe(7)
  })
})
