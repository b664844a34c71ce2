import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createApp, effectScope, nextTick, ref, shallowRef } from 'vue'
import { createMemoryHistory, createRouter } from 'vue-router'
import type { RecordRow } from '@/api/record-list'
import { useOpened } from './use-opened'

const total = 300
const rowOf = (index: number): RecordRow => ({ _id: 100 + index, _uuid: `u-${index}` })

/** A table of which the first rows are loaded, with the record of the address open. */
const table = async (address: string, loaded = 100) => {
  const router = createRouter({
    history: createMemoryHistory(),
    routes: [{ path: '/:all(.*)*', component: {} }],
  })
  await router.push('/before')
  await router.push(address)
  const there = ref(loaded)
  const asked = shallowRef(0)
  const written = vi.spyOn(router, 'push')
  const replaced = vi.spyOn(router, 'replace')
  const goToRow = vi.fn()
  const row = (index: number) => {
    asked.value += 1
    return index >= 0 && index < there.value ? rowOf(index) : undefined
  }
  const indexOf = (isIt: (row: RecordRow) => boolean) =>
    Array.from({ length: there.value }, (_, index) => rowOf(index)).findIndex(isIt)
  const scope = effectScope()
  const app = createApp({}).use(router)
  const opened = app.runWithContext(() => scope.run(() => useOpened({ total: () => total, row, indexOf, goToRow })))
  if (opened === undefined) throw new Error('no scope')
  const record = () => router.currentRoute.value.query.record
  return { ...opened, router, record, there, asked, written, replaced, goToRow, scope }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('the address of an open record', () => {
  it('opening it is a step that closing takes back; going on to the next is none', async () => {
    const { open, step, close, record, written, replaced, router } = await table('/data')
    open(3)
    await vi.waitFor(() => expect(record()).toBe('u-3'))
    step(1)
    await vi.waitFor(() => expect(record()).toBe('u-4'))
    expect([written.mock.calls.length, replaced.mock.calls.length]).toEqual([1, 1])
    close()
    await vi.waitFor(() => expect(record()).toBeUndefined())
    router.back()
    await vi.waitFor(() => expect(router.currentRoute.value.path).toBe('/before'))
  })

  it('is written once: a record that is open is not written again, whatever way it is opened', async () => {
    const { open, at, written, replaced, router } = await table('/data?record=u-3')
    const way = router.push('/forms/1/records/u-3')
    written.mockClear()
    open(3)
    at(3)
    await vi.advanceTimersByTimeAsync(1000)
    await way
    expect([written.mock.calls.length, replaced.mock.calls.length]).toEqual([0, 0])
    expect(router.currentRoute.value.path).toBe('/forms/1/records/u-3')
  })

  it('of arrow keys in quick succession only the last row is opened', async () => {
    const { at, record, replaced } = await table('/data?record=u-3')
    for (const index of [4, 5, 6]) at(index)
    await vi.advanceTimersByTimeAsync(1000)
    expect(record()).toBe('u-6')
    expect(replaced).toHaveBeenCalledTimes(1)
  })
})

describe('the next record, where its row is not loaded yet', () => {
  it('is opened as soon as it is there', async () => {
    const { step, there, record, goToRow } = await table('/data?record=u-99')
    step(1)
    expect(goToRow).toHaveBeenCalledWith(100)
    await vi.advanceTimersByTimeAsync(1000)
    expect(record()).toBe('u-99')
    there.value = 200
    await vi.advanceTimersByTimeAsync(0)
    expect(record()).toBe('u-100')
  })

  it('nobody waits for it once the record is closed: it stays closed, and nothing asks any more', async () => {
    const { step, close, there, asked, record } = await table('/data?record=u-99')
    step(1)
    close()
    await vi.advanceTimersByTimeAsync(0)
    const before = asked.value
    await vi.advanceTimersByTimeAsync(60_000)
    there.value = 200
    await nextTick()
    await vi.advanceTimersByTimeAsync(1000)
    expect(record()).toBeUndefined()
    expect(asked.value).toBe(before)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('nor when the page is left, or another record is opened', async () => {
    const left = await table('/data?record=u-99')
    left.step(1)
    left.at(4)
    left.scope.stop()
    left.there.value = 200
    await vi.advanceTimersByTimeAsync(1000)
    expect(left.record()).toBe('u-99')
    const other = await table('/data?record=u-99')
    other.step(1)
    other.open(7)
    await vi.advanceTimersByTimeAsync(0)
    other.there.value = 200
    await vi.advanceTimersByTimeAsync(1000)
    expect(other.record()).toBe('u-7')
  })
})
