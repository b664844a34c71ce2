// What widgets are drawn from: /widgets?figures=true.
import { beforeAll, describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { Board } from '../../../test/support/widgets.js'

const app = testApp()
let board: Board

beforeAll(async () => {
  board = await Board.open(app)
  await board.put(
    { answers: { sex: 'f', age: '21', fruits: 'apple fig' } },
    { answers: { sex: 'f', age: '31', fruits: 'fig' } },
    { answers: { sex: 'm', age: '40' } },
  )
  await board.add({ title: 'Sex', column: 'sex' })
  await board.add({ title: 'Fruits', column: 'fruits' })
  await board.add({ title: 'Age by sex', column: 'age', group_by: 'sex' })
})

const figured = async (query: string) =>
  (await app.call('GET', `/widgets${query}&figures=true`)).json() as {
    title: string
    data: unknown[]
    figure?: { label: string; labels: object; group: object | null; figure: { kind: string; rows: unknown } }
  }[]

describe('figures of widgets', () => {
  it('200 with values, the words for them, and no rows besides', async () => {
    const shown = await board.list(`?xform=${board.form.id}&figures=true`)
    expect(shown.map(({ data }) => data)).toEqual([[], [], []])
    expect(shown.map(({ figure }) => figure)).toMatchObject([
      { label: 'Sex', labels: { f: 'Female', m: 'Male' }, group: null, figure: { kind: 'values', total: 3 } },
      { label: 'Fruits', labels: { apple: 'Apple', fig: 'Fig' }, figure: { kind: 'choices', unanswered: 1 } },
      { label: 'Age', group: { label: 'Sex', labels: { f: 'Female', m: 'Male' } }, figure: { kind: 'sums' } },
    ])
  })

  it('200 by its key for anybody with that one widget; nothing by a key that is none', async () => {
    const [sex] = await board.list(`?xform=${board.form.id}`)
    const found = await figured(`?key=${sex?.key}`)
    expect(found.map(({ title }) => title)).toEqual(['Sex'])
    expect(found[0]?.figure?.figure.rows).toEqual([
      ['f', 2],
      ['m', 1],
    ])
    expect((await app.call('GET', `/widgets?key=${'0'.repeat(32)}&figures=true`)).statusCode).toBe(404)
  })

  it('200 counts of their own records for those who see only these', async () => {
    const minor = await board.person('dataentry-minor')
    const shown = await board.list(`?xform=${board.form.id}&figures=true`, minor)
    expect(shown.map(({ figure }) => (figure as { figure: { total?: number } }).figure.total ?? 0)).toEqual([0, 0, 0])
    expect(shown.every(({ key }) => key === undefined)).toBe(true)
  })
})
