// What reading a change of a record looks at: lists of choices and records may be long.
import { describe, expect, it } from 'vitest'
import type { Field, FormFields, RepeatField } from '../form/index.js'
import type { Answers } from '../instance/index.js'
import { readPatch } from './index.js'

type List = NonNullable<Field['choices']>

const watched = (length: number) => {
  let looks = 0
  const list: List = Array.from({ length }, (_, at) => ({
    get name() {
      looks += 1
      return `village${at}`
    },
    labels: [],
    media: [],
    data: [],
  }))
  return { list, looks: () => looks }
}

const select = (key: string, choices: List, repeats: string[] = []): Field =>
  ({ key, name: key, type: 'select_one', kind: 'select', choices, repeats }) as unknown as Field

const formOf = (fields: Field[], repeats: string[] = []): FormFields =>
  ({
    fields,
    byKey: new Map(fields.map((field) => [field.key, field])),
    repeats: new Map(repeats.map((key) => [key, { key, name: key, labels: [], repeats: [] } as RepeatField])),
  }) as unknown as FormFields

const read = (body: Record<string, unknown>, own: FormFields, answers: Answers = {}) =>
  readPatch(body, { own, newest: own, answers, files: new Set(), builtins: new Set(), openSelects: new Set() })

describe('readPatch', () => {
  it.each([
    ['time', ['00:00', '23:59:59.999+14:00', '10:00Z'], ['24:00', '25:00', '99:99', '10:60', '1:2', '10:00+15:00']],
    ['datetime', ['2024-05-31T23:59'], ['2024-05-31T24:00', '2024-02-30T10:00', '2024-05-31']],
    ['geo', ['-90 180', '90 -180 0 0'], ['90.1 0', '-91 0', '0 180.5', '1.5,2.5', 'here']],
  ] as const)('an answer of the kind %s is one that there can be', async (kind, right, wrong) => {
    const field = { key: 'q', name: 'q', type: kind, kind, choices: null, repeats: [] } as unknown as Field
    const isTaken = async (text: string) => (await read({ q: text }, formOf([field]))).faults.size === 0
    for (const text of right) expect([text, await isTaken(text)]).toEqual([text, true])
    for (const text of wrong) expect([text, await isTaken(text)]).toEqual([text, false])
  })

  it('goes through a list of choices once, however many questions share it', async () => {
    const { list, looks } = watched(1000)
    const fields = Array.from({ length: 100 }, (_, at) => select(`q${at}`, list))
    const { changes, faults } = await read(
      Object.fromEntries(fields.map(({ key }) => [key, 'village7'])),
      formOf(fields),
    )
    expect([changes.size, faults.size]).toEqual([100, 0])
    expect(looks()).toBe(1000)
  })

  it('says of five wrong choices what may have been meant, and of all others that they are none', async () => {
    const { list } = watched(1000)
    const fields = Array.from({ length: 50 }, (_, at) => select(`q${at}`, list))
    const { faults } = await read(Object.fromEntries(fields.map(({ key }) => [key, 'willage7'])), formOf(fields))
    expect(faults.size).toBe(50)
    expect(faults.get('q0')).toEqual(['"willage7" is not one of its choices. Did you mean \'village7\'?'])
    expect(faults.get('q49')).toEqual(['"willage7" is not one of its choices.'])
    expect([...faults.values()].filter(([fault]) => fault?.includes('Did you mean'))).toHaveLength(5)
  })

  it('what the record answers may stay, whatever it is; the record is gone through once for all questions', async () => {
    let looks = 0
    const get = (target: Answers, key: string | symbol) => {
      looks += 1
      return Reflect.get(target, key)
    }
    const entry = new Proxy<Answers>({ 'r/q0': 'old', 'r/q1': 'older' }, { get })
    const { list } = watched(3)
    const fields = Array.from({ length: 500 }, (_, at) => select(`r/q${at}`, list, ['r']))
    const answers = { r: Array.from({ length: 500 }, () => entry) }
    const kept = { r: [{ 'r/q0': 'old', 'r/q1': 'older', 'r/q2': 'village1' }] }
    expect((await read(kept, formOf(fields, ['r']), answers)).faults.size).toBe(0)
    const others = Object.fromEntries(fields.map(({ key }) => [key, 'old']))
    expect((await read({ r: [others] }, formOf(fields, ['r']), answers)).faults.get('r')?.length).toBeGreaterThan(50)
    expect(looks).toBeLessThan(10_000)
  })

  it('lets others have a turn between entries', async () => {
    let turns = 0
    const counting = setInterval(() => {
      turns += 1
    }, 0)
    const field = select('r/q', watched(3).list, ['r'])
    const entries = Array.from({ length: 100_000 }, () => ({ 'r/q': 'village1' }))
    const { changes } = await read({ r: entries }, formOf([field], ['r']))
    clearInterval(counting)
    expect(changes.get('r')).toHaveLength(100_000)
    expect(turns).toBeGreaterThan(0)
  })
})
