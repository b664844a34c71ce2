import { expect, it } from 'vitest'
import type { RecordRow } from '@/api/record-list'
import { useTicked } from './use-ticked'

const rows = (count: number) => {
  const row = (index: number): RecordRow | undefined =>
    index < count ? { _id: 100 + index, _uuid: String(index) } : undefined
  return { row, ticked: useTicked({ total: () => count, row }) }
}

it('one that is taken out of all leaves the others', () => {
  const { row, ticked } = rows(900)
  ticked.tickAll()
  ticked.tick(4, false)
  expect([ticked.count.value, ticked.state.value]).toEqual([899, 'some'])
  expect([ticked.isTicked(row(4)), ticked.isTicked(row(5))]).toEqual([false, true])
  expect([...ticked.without.value]).toEqual([104])
  ticked.tick(4, false)
  expect([ticked.count.value, ticked.state.value]).toEqual([900, 'all'])
})

it('a range is taken out of all, and the last one leaves nothing', () => {
  const { ticked } = rows(3)
  ticked.tickAll()
  ticked.tick(0, false)
  ticked.tick(2, true)
  expect([ticked.count.value, ticked.isAll.value]).toEqual([0, false])
})

it('chosen by number, "all" takes everything', () => {
  const { ticked } = rows(3)
  ticked.tick(1, false)
  expect(ticked.count.value).toBe(1)
  ticked.all()
  expect(ticked.count.value).toBe(3)
})
