// Choices of one letter whose labels are as long as a cell may be: what is shown of them has a bound.
import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { newForm, put } from '../../../test/support/data.js'
import { budgets } from '../../budgets.js'

const app = testApp()
const { labelCharacters, wordCharacters } = budgets.charts

const labelOf = (letter: string) => letter.repeat(60_000)

const letters = [...'abcdefghij']

/** `several` takes all letters at once; `long` has a label that is long itself. */
const survey = `| survey |
| | type | name | label |
| | select_multiple l | several | Several |
| | select_multiple l | other | Other |
| | select_one l | one | One |
| | select_one l | two | Two |
| | integer | age | ${'x'.repeat(60_000)} |
| choices |
| | list_name | name | label |
${letters.map((letter) => `| | l | ${letter} | ${labelOf(letter)} |`).join('\n')}`

const place = async (records: number, answersOf: (at: number) => object) => {
  const made = await newForm(app, { versions: [survey] })
  await put(app, made.form, ...Array.from({ length: records }, (_, at) => ({ answers: answersOf(at) })))
  const get = (query: string, suffix = '') => app.as(made.ana)('GET', `/charts/${made.form.id}${suffix}${query}`)
  return { ...made, get }
}

/** Ten letters in an order of their own: 600,000 characters of labels. */
const mixed = (at: number): string => [...letters.slice(at % 10), ...letters.slice(0, at % 10)].join(' ')

describe('charts of choices with long labels', () => {
  it('200 with the most frequent values whose labels fit into budgets.charts.labelCharacters, and what was left out', async () => {
    // Of 60 combinations, 13 would fit; those that were given twice are shown.
    const orders = Array.from({ length: 60 }, (_, at) =>
      `${mixed(at)} ${letters.slice(0, Math.floor(at / 10)).join(' ')}`.trim(),
    )
    const { get } = await place(70, (at) => ({ several: orders[at % 60] }))
    const answer = await get('?field_name=several')
    expect(answer.statusCode).toBe(200)
    const { data, choices, others } = answer.json()
    expect(answer.body.length).toBeLessThan(labelCharacters * 1.1)
    expect(data.length).toBeGreaterThan(0)
    expect(data.length).toBeLessThan(14)
    for (const { count } of data) expect(count).toBe(2)
    expect(others.values).toBe(60 - data.length)
    expect(others.count).toBe(70 - 2 * data.length)
    expect(choices).toHaveLength(10)
    const all = (await get('?fields=all')).body
    expect(all.length).toBeLessThan(labelCharacters * 1.1)
    expect(Object.keys(JSON.parse(all))).toEqual(['several', 'other', 'one', 'two', 'age'])
  })

  it('200 with all rows where their labels fit', async () => {
    const { get } = await place(20, (at) => ({ one: letters[at % 10], two: letters[(at + 1) % 10] }))
    const single = (await get('?field_name=one')).json()
    expect([single.data.length, single.others]).toEqual([10, undefined])
    const grouped = (await get('?field_name=one&group_by=two')).json()
    expect([grouped.data.length, grouped.others]).toEqual([10, undefined])
  })

  it('200 by groups, which repeat the label in every row, and in /stats/submissions, within the same bound', async () => {
    const { get, form, ana } = await place(100, (at) => ({
      one: letters[at % 10],
      two: letters[Math.floor(at / 10)],
      age: String(at),
      several: letters.filter((_, bit) => (at >> bit) & 1).join(' '),
    }))
    const grouped = await get('?field_name=one&group_by=two')
    expect(grouped.body.length).toBeLessThan(labelCharacters * 1.1)
    expect(grouped.json().others.values).toBeGreaterThan(0)
    const summed = await get('?field_name=age&group_by=one,two')
    expect(summed.body.length).toBeLessThan(labelCharacters * 1.1)
    const counts = await app.as(ana)('GET', `/stats/submissions/${form.id}?group=several`)
    expect(counts.statusCode).toBe(200)
    expect(counts.body.length).toBeLessThan(labelCharacters * 1.1)
    expect(counts.json().length).toBeGreaterThan(10)
  })

  it('200 with a page that shows budgets.charts.wordCharacters of a label', async () => {
    const { get } = await place(12, (at) => ({ one: letters[at % 10], several: mixed(at), age: String(at) }))
    for (const query of ['?field_name=one', '?field_name=several&by=combination', '?field_name=age&group_by=one']) {
      const page = await get(query, '.html')
      expect(page.statusCode, query).toBe(200)
      expect(page.body, query).toContain(`>${'a'.repeat(wordCharacters)}…<`)
      expect(page.body.length, query).toBeLessThan(400_000)
    }
    const page = await get('?field_name=age', '.html')
    expect(page.body).toContain(`<h1 dir="auto">${'x'.repeat(wordCharacters)}…</h1>`)
  })
})
