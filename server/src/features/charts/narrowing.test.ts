import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { useForm, useRecords } from '../../../test/support/data.js'

const app = testApp()
const place = useForm(app)

useRecords(app, place, () => [
  { answers: { sex: 'f', age: '20', name: 'amina' }, place: [1, 1] },
  { answers: { sex: 'f', age: '40', name: 'bea' }, tags: ['x'] },
  { answers: { sex: 'm', age: '50', name: 'tom' }, place: [1, 2] },
])

const chart = (query: Record<string, string>, suffix = '') =>
  app.as(place.ana)('GET', `/charts/${place.form.id}${suffix}`, { query: { field_name: 'sex', ...query } })

/** Count by choice, of those that were taken. */
const countsOf = async (query: Record<string, string>) => {
  const answer = await chart(query)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  const { data } = answer.json() as { data: { sex: string[]; count: number }[] }
  return Object.fromEntries(data.map(({ sex, count }) => [sex[0], count]))
}

describe('a chart of some records', () => {
  it('counts those that a list of the same parameters shows, and keeps each answer apart', async () => {
    expect(await countsOf({})).toEqual({ Female: 2, Male: 1 })
    expect(await countsOf({ query: '{"age":{"$gt":"30"}}' })).toEqual({ Female: 1, Male: 1 })
    expect(await countsOf({ query: '{"age":{"$gt":"45"}}' })).toEqual({ Male: 1 })
    expect(await countsOf({ search: 'amina' })).toEqual({ Female: 1 })
    expect(await countsOf({ query: '{"_tags":"x"}' })).toEqual({ Female: 1 })
    expect(await countsOf({ bbox: '0,0,1.5,1.5' })).toEqual({ Female: 1 })
    expect(await countsOf({})).toEqual({ Female: 2, Male: 1 })
  })

  it('several fields at once and groups too', async () => {
    const fields = await app.as(place.ana)('GET', `/charts/${place.form.id}`, {
      query: { fields: 'sex,age', search: 'tom' },
    })
    expect(fields.json().sex.data).toEqual([{ sex: ['Male'], count: 1 }])
    const grouped = (await chart({ field_name: 'age', group_by: 'sex', query: '{"sex":"f"}' })).json()
    expect(grouped.data).toMatchObject([{ count: 2, mean: 30 }])
  })

  it('a page keeps what it is narrowed by in its links', async () => {
    const page = await chart({ search: 'amina' }, '.html')
    expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining('search=amina&amp;field_name=sex')])
  })

  it('400 for what a list refuses', async () => {
    for (const query of [{ query: '{' }, { query: '{"nope":1}' }, { bbox: '1' }, { polygon: 'x' }] as Record<
      string,
      string
    >[]) {
      expect([query, (await chart(query)).statusCode]).toEqual([query, 400])
    }
  })
})
