import { describe, expect, it } from 'vitest'
import { testApp } from '../../../../test/support/app.js'
import { useForm, useRecords } from '../../../../test/support/data.js'

const app = testApp()
const place = useForm(app)

const answers = [
  { name: 'Tom Jones', age: '21' },
  { name: 'Ana', kids: [{ 'kids/kname': 'TOMAS', 'kids/toys': [{ 'kids/toys/toy': 'kite' }] }] },
  { name: 'say "hi"', sex: 'f' },
  { name: 'back\\slash', photo: 'x.jpg' },
  { name: 'two\nlines\tand tab' },
  { name: 'Ñandú ÉCOLE Ωmega', former: 'kept' },
  { name: '100% _any_' },
]

const ids = useRecords(app, place, () =>
  answers.map((one, at) => ({ answers: one, by: at === 6 ? place.ana.id : null })),
)

const asked = (query: Record<string, string>) => app.as(place.ana)('GET', `/data/${place.form.id}`, { query })

const placesOf = async (query: Record<string, string>): Promise<number[]> => {
  const response = await asked(query)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().map(({ _id }: { _id: number }) => ids.indexOf(_id) + 1)
}

describe('search', () => {
  it.each([
    ['tom', [1, 2]],
    ['  TOM j  ', [1]],
    ['kite', [2]],
    ['"hi"', [3]],
    ['y "h', [3]],
    ['k\\s', [4]],
    ['two\nlines', [5]],
    ['lines\tand', [5]],
    ['n\\t', []],
    ['ñandú', [6]],
    ['école', [6]],
    ['ωMEGA', [6]],
    ['kept', [6]],
    ['%', [7]],
    ['_any_', [7]],
    // Keys and what JSON puts around answers are no answers.
    ['kname', []],
    ['", "', []],
    ['former', []],
    ['nobody', []],
  ])('%j finds %j', async (search, found) => expect(await placesOf({ search })).toEqual(found))

  it('finds ids, instance ids and the name of the submitter', async () => {
    expect(await placesOf({ search: String(ids[2]) })).toContain(3)
    expect(await placesOf({ search: place.ana.username.toUpperCase() })).toEqual([7])
  })

  it('holds beside a query, filters and a search of the query itself', async () => {
    expect(await placesOf({ search: 'tom', query: '{"age":{"$gte":"20"}}' })).toEqual([1])
    expect(await placesOf({ search: 'tom', query: 'ana' })).toEqual([2])
    expect(await placesOf({ search: 'tom', date_created__year: '1999' })).toEqual([])
    expect((await asked({ search: 'tom', count: 'true' })).json()).toEqual([{ count: 2 }])
    expect(await placesOf({ search: ' ' })).toHaveLength(answers.length)
    expect(await placesOf({ search: '{"name":"Ana"}' })).toEqual([])
  })

  it('files hold what it finds', async () => {
    const { body } = await app.as(place.ana)('GET', `/data/${place.form.id}.csv`, { query: { search: 'kite' } })
    expect(body.trim().split('\n')).toHaveLength(2)
  })

  it('400 for more than a thousand characters, and for a character that no text holds', async () => {
    expect((await asked({ search: 'x'.repeat(1001) })).json().detail).toContain('no more than 1000 characters')
    expect((await app.as(place.ana)('GET', `/data/${place.form.id}?search=%00`)).statusCode).toBe(400)
  })
})
