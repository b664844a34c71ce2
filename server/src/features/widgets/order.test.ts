import { beforeAll, describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { Board } from '../../../test/support/widgets.js'

const app = testApp()
let first: Board

beforeAll(async () => {
  first = await Board.open(app)
})

const boardOf = async (...titles: string[]): Promise<{ board: Board; ids: number[] }> => {
  const board = await first.beside()
  const ids: number[] = []
  for (const title of titles) ids.push((await board.add({ title })).id)
  return { board, ids }
}

describe('the order of widgets', () => {
  it('counts from 0 for every form of its own', async () => {
    const { board } = await boardOf('a', 'b', 'c')
    const { board: other } = await boardOf('x')
    expect([await board.titles(), await other.titles()]).toEqual([['a', 'b', 'c'], ['x']])
  })

  it.each([
    [0, ['new', 'a', 'b', 'c']],
    [2, ['a', 'b', 'new', 'c']],
    [3, ['a', 'b', 'c', 'new']],
    [999_999_999_999, ['a', 'b', 'c', 'new']],
  ])('a new one with order %i makes room', async (order, titles) => {
    const { board } = await boardOf('a', 'b', 'c')
    expect((await board.add({ title: 'new', order })).order).toBe(titles.indexOf('new'))
    expect(await board.titles()).toEqual(titles)
  })

  it.each([
    ['c', 1, ['a', 'c', 'b', 'd']],
    ['a', 2, ['b', 'c', 'a', 'd']],
    ['b', 1, ['a', 'b', 'c', 'd']],
    ['a', 50, ['b', 'c', 'd', 'a']],
    ['d', 0, ['d', 'a', 'b', 'c']],
  ])('%s moves to %i and the others shift', async (title, order, titles) => {
    const { board, ids } = await boardOf('a', 'b', 'c', 'd')
    const id = ids['abcd'.indexOf(title)] as number
    expect((await board.patch(id, { order })).json().order).toBe(titles.indexOf(title))
    expect(await board.titles()).toEqual(titles)
  })

  it('three widgets 0, 1, 2: moving the third to 1 gives 0, 2, 1', async () => {
    const { board, ids } = await boardOf('a', 'b', 'c')
    const body = board.body({ order: 1, title: 'c' })
    expect((await board.call('PUT', `/widgets/${ids[2]}`, body)).json().order).toBe(1)
    const orders = []
    for (const id of ids) orders.push((await board.get(id)).json().order)
    expect(orders).toEqual([0, 2, 1])
  })

  it('closes the gap of one that is deleted', async () => {
    const { board, ids } = await boardOf('a', 'b', 'c')
    await board.call('DELETE', `/widgets/${ids[0]}`)
    expect(await board.titles()).toEqual(['b', 'c'])
  })

  it('stays whole when twenty are made, moved and deleted at once', async () => {
    const { board, ids } = await boardOf(...'abcdefghijklmnopqrst')
    const calls = ids.flatMap((id, place) => [
      board.post({ title: `new ${place}`, ...(place % 2 === 0 && { order: place }) }),
      board.patch(id, { order: (place * 7) % 20 }),
      ...(place % 3 === 0 ? [board.call('DELETE', `/widgets/${id}`)] : []),
    ])
    const statuses = (await Promise.all(calls)).map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => ![200, 201, 204, 404].includes(status))).toEqual([])
    expect(statuses.filter((status) => status === 201)).toHaveLength(20)
    expect(statuses.filter((status) => status === 204)).toHaveLength(7)
    const titles = await board.titles()
    expect(titles).toHaveLength(33)
    expect(new Set(titles).size).toBe(33)
  })

  it('stays whole when widgets are moved between two forms in both directions at once', async () => {
    const { board, ids } = await boardOf('a', 'b', 'c', 'd', 'e')
    const { board: other, ids: others } = await boardOf('v', 'w', 'x', 'y', 'z')
    const moves = Array.from({ length: 4 }, (_one, round) => [
      ...ids.map((id) =>
        board.patch(id, { content_object: round % 2 === 0 ? other.address : board.address, order: 1 }),
      ),
      ...others.map((id) => board.patch(id, { content_object: round % 2 === 0 ? board.address : other.address })),
      ...ids.map((id) => board.patch(id, { order: 3 })),
    ]).flat()
    const statuses = (await Promise.all(moves)).map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status !== 200)).toEqual([])
    const titles = [...(await board.titles()), ...(await other.titles())]
    expect(titles.sort()).toEqual([...'abcdevwxyz'])
  })

  it('a widget that is deleted by many at once is deleted by one of them', async () => {
    const { board, ids } = await boardOf('a', 'b', 'c')
    const responses = await Promise.all(Array.from({ length: 8 }, () => board.call('DELETE', `/widgets/${ids[1]}`)))
    const statuses = responses.map(({ statusCode }) => statusCode).sort()
    expect(statuses).toEqual([204, ...Array.from({ length: 7 }, () => 404)])
    expect(await board.titles()).toEqual(['a', 'c'])
  })

  it('keeps column and group_by apart though they change at once', async () => {
    const { board, ids } = await boardOf('a')
    for (let round = 0; round < 5; round++) {
      await board.patch(ids[0] as number, { column: 'age', group_by: 'name' })
      await Promise.all([
        board.patch(ids[0] as number, { column: 'sex' }),
        board.patch(ids[0] as number, { group_by: 'sex' }),
      ])
      const { column, group_by } = (await board.get(ids[0] as number)).json()
      expect(column).not.toBe(group_by)
    }
  })
})
