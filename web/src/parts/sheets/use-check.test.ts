import type { RawSheet } from '@sheaf/xlsform/sheets'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { effectScope, nextTick, shallowRef } from 'vue'
import type { Asked, Checked } from './check-messages'
import { type Compiler, pauseMilliseconds, useCheck } from './use-check'

const sheetsNamed = (name: string): RawSheet[] => [{ name, rows: [] }]

/** A compiler that answers when it is told to. */
const stage = () => {
  const asked: Asked[] = []
  let answer: (checked: Checked) => void = () => undefined
  let fail: () => void = () => undefined
  let opened = 0
  const open = (): Compiler => {
    opened += 1
    return {
      ask: (one) => asked.push(one),
      answered: (run) => {
        answer = run
      },
      failed: (run) => {
        fail = run
      },
      close: () => undefined,
    }
  }
  const sheets = shallowRef(sheetsNamed('first'))
  const scope = effectScope()
  const check = scope.run(() => useCheck(sheets, { open })) as ReturnType<typeof useCheck>
  const reply = (number: number, title: string | null) =>
    answer({
      number,
      problems: title === null ? [{ code: 'c', message: 'm', sheet: 'survey', row: 0, column: 0 }] : [],
      warnings: [],
      form: title === null ? null : { xform: '<h/>', formId: 'f', title, version: null },
    })
  return { asked, check, fail: () => fail(), opened: () => opened, reply, scope, sheets }
}

describe('useCheck', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const type = async (sheets: { value: RawSheet[] }, name: string) => {
    sheets.value = sheetsNamed(name)
    await nextTick()
  }

  it('asks at once for what is opened, and for what is typed after a pause', async () => {
    const { asked, check, reply, sheets, scope } = stage()
    expect(asked).toHaveLength(1)
    reply(1, 'First')
    expect([check.form.value?.title, check.isChecking.value]).toEqual(['First', false])
    await type(sheets, 'second')
    expect([asked.length, check.isChecking.value]).toEqual([1, true])
    vi.advanceTimersByTime(pauseMilliseconds - 1)
    await type(sheets, 'third')
    vi.advanceTimersByTime(pauseMilliseconds - 1)
    expect(asked).toHaveLength(1)
    vi.advanceTimersByTime(1)
    expect(asked.map((one) => one.sheets[0]?.name)).toEqual(['first', 'third'])
    scope.stop()
  })

  it('shows only what belongs to the last state, and asks for one at a time', async () => {
    const { asked, check, reply, sheets, scope } = stage()
    for (const name of ['second', 'third']) {
      await type(sheets, name)
      vi.advanceTimersByTime(pauseMilliseconds)
    }
    expect(asked).toHaveLength(1)
    reply(1, 'First')
    expect(check.form.value).toBeNull()
    expect(asked.map((one) => one.sheets[0]?.name)).toEqual(['first', 'third'])
    reply(2, 'Third')
    expect([check.form.value?.title, check.checked.value]).toEqual(['Third', sheetsNamed('third')])
    scope.stop()
  })

  it('keeps the last form without mistakes for the preview', async () => {
    const { check, reply, sheets, scope } = stage()
    reply(1, 'First')
    await type(sheets, 'second')
    vi.advanceTimersByTime(pauseMilliseconds)
    reply(2, null)
    expect([check.form.value, check.lastForm.value?.title, check.problems.value.length]).toEqual([null, 'First', 1])
    scope.stop()
  })

  it('says that the compiler failed, and opens another with the next change', async () => {
    const { asked, check, fail, opened, reply, sheets, scope } = stage()
    fail()
    expect([check.hasFailed.value, check.isChecking.value]).toEqual([true, false])
    await type(sheets, 'second')
    vi.advanceTimersByTime(pauseMilliseconds)
    expect([opened(), asked.length]).toEqual([2, 2])
    reply(2, 'Second')
    expect(check.hasFailed.value).toBe(false)
    scope.stop()
  })
})
