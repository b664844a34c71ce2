// One sender's record must not decide how wide everybody's files are, nor whether they can be made at all.
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import { newForm, put, unzipped, useForm } from '../../../../test/support/data.js'
import type { TestForm } from '../../../../test/support/records.js'
import { budgets } from '../../../budgets.js'

const app = testApp()
const named = (count: number, prefix = 'x') =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`${prefix}${number}`, `${prefix} ${number}`]))

const get = (ana: Account, path: string) => app.as(ana)('GET', path)

const csvOf = async (ana: Account, form: TestForm, query = ''): Promise<Record<string, string>[]> => {
  const answer = await get(ana, `/data/${form.id}.csv${query}`)
  expect(answer.statusCode).toBe(200)
  return parse(answer.body, { columns: true }) as Record<string, string>[]
}

const othersOf = (row: Record<string, string> | undefined): Record<string, unknown> =>
  JSON.parse(row?._other_answers ?? '{}') as Record<string, unknown>

describe('a record with 100,000 names that the form does not know', () => {
  const place = useForm(app)

  beforeAll(async () => {
    await put(
      app,
      place.form,
      { answers: { name: 'Ann', village: 'Upper' } },
      { answers: { name: 'Ben', village: 'Lower' } },
    )
    await put(app, place.form, { answers: { name: 'Eve', ...named(100_000) } })
  })

  it('200 for the CSV: budgets.columns.unknown columns, those that most records hold first; the rest is JSON', async () => {
    const rows = await csvOf(place.ana, place.form)
    const names = Object.keys(rows[0] ?? {})
    expect(names.filter((name) => name === 'village' || /^x\d+$/.test(name))).toHaveLength(budgets.columns.unknown)
    expect(names.at(-1)).toBe('_other_answers')
    expect(rows.map(({ village, _other_answers }) => [village, _other_answers])).toEqual([
      ['Upper', 'n/a'],
      ['Lower', 'n/a'],
      ['n/a', expect.anything()],
    ])
    const eve = rows[2] as Record<string, string>
    const shown = Object.fromEntries(Object.entries(eve).filter(([name]) => /^x\d+$/.test(name)))
    expect({ ...shown, ...othersOf(eve) }).toEqual(named(100_000))
  })

  it('200 for a field among them that has no column by itself', async () => {
    const rows = await csvOf(place.ana, place.form, `?fields=${encodeURIComponent('["name","x99999","x7"]')}`)
    expect(rows.at(-1)).toEqual({ name: 'Eve', x99999: 'x 99999', x7: 'x 7' })
  })

  it.each(['xlsx', 'csvzip'])('200 for %s, where the rest is the last column of the table', async (format) => {
    const answer = await get(place.ana, `/data/${place.form.id}.${format}`)
    expect(answer.statusCode).toBe(200)
    const files = await unzipped(answer.rawPayload)
    if (format === 'xlsx') return expect([...files.keys()]).toContain('xl/workbook.xml')
    const rows = parse(files.get('data.csv') as Buffer, { columns: true }) as Record<string, string>[]
    const eve = rows[2] as Record<string, string>
    const shown = Object.fromEntries(Object.entries(eve).filter(([name]) => /^x\d+$/.test(name)))
    expect({ ...shown, ...othersOf(eve) }).toEqual(named(100_000))
    expect(Object.keys(eve).at(-1)).toBe('_other_answers')
  })

  it.each(['json', 'xml', 'geojson', 'flow-results', 'kml'])('200 for %s', async (format) => {
    expect((await get(place.ana, `/data/${place.form.id}.${format}`)).statusCode).toBe(200)
  })
})

describe('names that no version knows', () => {
  it('have a column each up to budgets.columns.unknown; one more, and the rarest goes into the JSON', async () => {
    const { ana, form } = await newForm(app)
    await put(app, form, { answers: named(budgets.columns.unknown) }, { answers: named(budgets.columns.unknown) })
    expect(Object.keys((await csvOf(ana, form))[0] ?? {})).not.toContain('_other_answers')
    await put(app, form, { answers: { aaa: 'rare' } })
    const rows = await csvOf(ana, form)
    expect(rows[0]).toMatchObject({ x0: 'x 0', _other_answers: 'n/a' })
    expect(othersOf(rows[2])).toEqual({ aaa: 'rare' })
    // A window is measured by itself.
    const answer = await csvOf(ana, form, `?query=${encodeURIComponent('{"aaa":"rare"}')}`)
    expect(answer).toMatchObject([{ aaa: 'rare' }])
  })

  it('in repeats go into the JSON by the heading that they would have', async () => {
    const { ana, form } = await newForm(app)
    const kid = named(budgets.columns.unknown, 'kids/y')
    await put(
      app,
      form,
      { answers: { kids: [{ 'kids/kname': 'Tom' }, kid] } },
      { answers: { kids: [kid, { ...kid, 'kids/zz': '1', 'kids/toys': [{ 'kids/toys/toy': 'car' }] }] } },
    )
    const rows = await csvOf(ana, form)
    expect(othersOf(rows[1])).toEqual({ 'kids[2]/zz': '1' })
    expect(rows[1]).toMatchObject({ 'kids[2]/y3': 'kids/y 3', 'kids[2]/toys[1]/toy': 'car' })
  })
})

const kids = (count: number) =>
  Array.from({ length: count }, (_, number) => ({ 'kids/kname': `k${number}`, 'kids/kage': '1' }))

describe('a repeat with very many entries', () => {
  // A child has two questions.
  const most = budgets.columns.repeated / 2

  it('has columns up to budgets.columns.repeated; what is beyond is JSON by the heading it would have', async () => {
    const { ana, form } = await newForm(app)
    await put(app, form, { answers: { kids: kids(most) } })
    const [whole] = await csvOf(ana, form)
    expect(whole?.[`kids[${most}]/kname`]).toBe(`k${most - 1}`)
    expect(whole).not.toHaveProperty('_other_answers')
    await put(app, form, { answers: { name: 'Eve', kids: kids(100_000) } })
    const rows = await csvOf(ana, form)
    expect(rows[0]).toMatchObject({ [`kids[${most}]/kname`]: `k${most - 1}`, _other_answers: 'n/a' })
    const others = othersOf(rows[1])
    expect(Object.keys(others)).toHaveLength(2 * (100_000 - most))
    expect(others).toMatchObject({ [`kids[${most + 1}]/kname`]: `k${most}`, 'kids[100000]/kage': '1' })
  })

  it('within a repeat has columns for as many of each, and nothing is lost', async () => {
    const { ana, form } = await newForm(app)
    const toys = (count: number) => Array.from({ length: count }, (_, number) => ({ 'kids/toys/toy': `t${number}` }))
    await put(app, form, { answers: { kids: kids(200).map((kid) => ({ ...kid, 'kids/toys': toys(100) })) } })
    const [row] = await csvOf(ana, form)
    const shown = Object.entries(row ?? {}).filter(([name]) => name.startsWith('kids['))
    expect(shown.length).toBeLessThanOrEqual(budgets.columns.repeated)
    const all = Object.fromEntries([...shown, ...Object.entries(othersOf(row))].filter(([, value]) => value !== 'n/a'))
    expect(Object.keys(all)).toHaveLength(200 * (2 + 100))
    expect(all).toMatchObject({ 'kids[200]/toys[100]/toy': 't99', 'kids[1]/toys[1]/toy': 't0', 'kids[200]/kage': '1' })
  })

  it('shows of a kept view nothing that the view does not have', async () => {
    const { ana, form, projectId } = await newForm(app)
    await put(app, form, { answers: { name: 'Eve', kids: kids(20_000), secret: 'x' } })
    const made = await app.as(ana)('POST', '/dataviews', {
      body: {
        name: 'Names',
        xform: `/api/v1/forms/${form.id}`,
        project: `/api/v1/projects/${projectId}`,
        columns: ['kids/kname'],
        query: [],
      },
    })
    expect(made.statusCode).toBe(201)
    const answer = await get(ana, `/dataviews/${made.json().dataviewid}/data.csv`)
    expect(answer.statusCode).toBe(200)
    const [row] = parse(answer.body, { columns: true }) as Record<string, string>[]
    expect(row).toHaveProperty(`kids[${budgets.columns.repeated}]/kname`)
    expect(new Set(Object.keys(othersOf(row)).map((name) => name.replace(/\d+/, '')))).toEqual(
      new Set(['kids[]/kname']),
    )
    expect(Object.keys(othersOf(row))).toHaveLength(20_000 - budgets.columns.repeated)
  })
})
