// The page of a chart: what is in it, and that nothing which people wrote becomes markup or script.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { people, peopleSurvey } from '../../../test/support/charts.js'
import { newForm, put } from '../../../test/support/data.js'
import type { RecordFields } from '../../../test/support/records.js'

const app = testApp()

const place = async (records: readonly RecordFields[] = people, fields: Parameters<typeof newForm>[1] = {}) => {
  const made = await newForm(app, { versions: [peopleSurvey], title: 'People', ...fields })
  await put(app, made.form, ...records)
  const get = (query: string, headers = {}) =>
    app.as(made.ana)('GET', `/charts/${made.form.id}.html${query}`, { headers })
  return { ...made, get, body: async (query: string) => (await get(query)).body }
}

const hostile = `"'><img src=x onerror=alert(1)></script><script>alert(2)</script>\u202e\u0001<svg/onload=alert(3)>`

/** What a browser would take for script or for elements that load something. */
const elements = (body: string, name: string): number => body.match(new RegExp(`<${name}[\\s>/]`, 'g'))?.length ?? 0

describe('GET /charts/{formid}.html?field_name=', () => {
  it('200 with a page: title, number of records, a picture, the table, and the way to the data', async () => {
    const { form, get } = await place()
    const { statusCode, headers, body } = await get('?field_name=gender')
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(body).toContain('<h1 dir="auto">Gender</h1>')
    expect(body).toContain('5 records')
    expect(body).toMatch(/role="img" aria-label="Bar chart of Gender\. /)
    expect(body.match(/<svg /g)).toHaveLength(2)
    expect(body).toContain('<title>Female: 2</title>')
    expect(body).toMatch(/<th scope="row"><bdi title="Female">Female<\/bdi><\/th><td class="number">2<\/td>/)
    expect(body).toContain(`/api/v1/charts/${form.id}.json?field_name=gender`)
  })

  it('allows one script by its hash, and nothing from elsewhere', async () => {
    const { get } = await place()
    const { headers, body } = await get('?field_name=gender')
    const [script = ''] = /(?<=<script>)[\s\S]*?(?=<\/script>)/.exec(body) ?? []
    const hash = createHash('sha256').update(script).digest('base64')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain(`script-src 'sha256-${hash}';`)
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('http')
    expect(elements(body, 'script')).toBe(2)
    // Namespaces are names, not addresses.
    const addresses = body.match(/https?:\/\/[^\s"'<)]+/g) ?? []
    const outside = addresses.filter(
      (one) => !one.startsWith('http://localhost:80/') && !one.startsWith('http://www.w3.org/'),
    )
    expect(outside).toEqual([])
  })

  it.each(['name', 'gender', 'fruits', 'age'])('of %s: hostile answers and labels are text', async (name) => {
    const labels = peopleSurvey
      .replace('| Female |', '| Female<script>alert(4)</script> |')
      .replace('| Age ', '| Age <b onclick=alert(5)> ')
    const answers = { name: hostile, gender: hostile, fruits: `orange ${hostile.replaceAll(' ', '')}`, age: hostile }
    const { body } = await place([{ answers }, { answers: { gender: 'f', age: '3' } }], {
      versions: [labels],
      title: hostile,
    })
    const page = await body(`?field_name=${name}`)
    expect([
      elements(page, 'script'),
      elements(page, 'img'),
      elements(page, 'b'),
      elements(page, 'svg/onload'),
    ]).toEqual([2, 0, 0, 0])
    const [data = ''] = /(?<=id="chart-data">)[\s\S]*?(?=<\/script>)/.exec(page) ?? []
    expect(data).not.toContain('<')
    expect(() => JSON.parse(data)).not.toThrow()
    for (const query of ['&group_by=gender', '&group_by=pizza_fan', '&group_by=_submitted_by']) {
      const grouped = await body(`?field_name=${name}${query}`)
      if (grouped.startsWith('<!doctype')) expect(elements(grouped, 'script')).toBe(2)
    }
  })

  it('a sentence in place of a picture where there is nothing to draw', async () => {
    const none = await place([])
    expect(await none.body('?field_name=gender')).toContain('There are no records yet that a chart could show.')
    const unanswered = await place([{}, {}])
    expect(await unanswered.body('?field_name=age')).toContain('None of the 2 records has an answer')
    expect(await unanswered.body('?field_name=born')).not.toContain('<svg')
  })

  it('numbers: the values where there are few, else ranges of round width; mean and median', async () => {
    const many = Array.from({ length: 60 }, (_, number) => ({ answers: { age: String(number) } }))
    const few = await (await place()).body('?field_name=age')
    expect(few).toContain('<dd>19.75</dd>')
    expect(few).toContain('<title>21: 2</title>')
    const ranged = await (await place([...many, { answers: { age: 'old' } }, {}])).body('?field_name=age')
    expect(ranged).toContain('<title>0 – 4: 5</title>')
    expect(ranged).toContain('1 answer is no number.')
    expect(ranged).toContain('1 record has no answer.')
    const decimals = many.map((_, number) => ({ answers: { 'more/income': String(number / 100) } }))
    expect(await (await place(decimals)).body('?field_name=income')).toContain('0.05 – &lt;0.1')
  })

  it('decimals: every range says that it ends before the next begins, also where its width is whole', async () => {
    const incomes = Array.from({ length: 60 }, (_, number) => ({ answers: { 'more/income': String(number + 0.5) } }))
    const page = await (await place(incomes)).body('?field_name=income')
    expect(page).toContain('<title>0 – &lt;5: 5</title>')
    expect(page).not.toContain('0 – 4')
    const narrow = incomes.map((_, number) => ({ answers: { 'more/income': String(number / 3) } }))
    expect(await (await place(narrow)).body('?field_name=income')).toContain('<title>3 – &lt;4: 3</title>')
  })

  it('numbers: how many answers the mean is of, alone and by groups', async () => {
    const { body } = await place()
    expect(await body('?field_name=age')).toContain('<dt>answers</dt><dd>4</dd>')
    const grouped = await body('?field_name=age&group_by=pizza_fan')
    expect(grouped).toMatch(/<bdi>Count<\/bdi><\/th><th scope="col" class="number"><bdi>Answers<\/bdi>/)
    expect(grouped).toMatch(/title="Yes">Yes<\/bdi><\/th><td class="number">2<\/td><td class="number">1<\/td>/)
  })

  it('a select multiple: a bar for each choice; by=combination shows what was chosen together', async () => {
    const { body, get } = await place()
    const page = await body('?field_name=fruits')
    expect(page).toContain('<title>Mango: 2</title>')
    expect(page).not.toContain('Orange, Mango')
    expect(page).toContain('Several choices could be taken')
    // Two of the three who answered.
    expect(page).toMatch(/>Mango<\/bdi><\/th><td class="number">2<\/td><td class="number">66.7%<\/td>/)
    expect(page).toMatch(/by=combination[^>]*>Combinations/)
    const together = await body('?field_name=fruits&by=combination')
    expect(together).toContain('<title>Orange, Mango: 1</title>')
    expect(together).toContain('aria-current="true">Combinations')
    const refused = await get('?field_name=fruits&by=colour')
    expect([refused.statusCode, refused.json()]).toEqual([400, { detail: 'by is choice or combination, not colour.' }])
  })

  it('no answer is told apart: no bar, a sentence, and shares of those who answered', async () => {
    const page = await (await place()).body('?field_name=gender')
    expect(page).not.toContain('No answer')
    expect(page).toContain('1 record has no answer.')
    expect(page).toMatch(/>Female<\/bdi><\/th><td class="number">2<\/td><td class="number">50%<\/td>/)
    const none = await (await place([{}, {}])).body('?field_name=gender')
    expect(none).toContain('None of the 2 records has an answer')
  })

  it('by a date: days or months in their order, those without one behind them', async () => {
    const { body } = await place()
    const dataIn = (page: string) => JSON.parse(/(?<=id="chart-data">)[\s\S]*?(?=<\/script>)/.exec(page)?.[0] ?? '')
    const months = await body('?field_name=age&group_by=born&period=month')
    expect(dataIn(months).categories).toEqual(['2000-01', '2001-05', 'No answer'])
    expect(months).toContain('aria-current="true">Months')
    const counted = dataIn(await body('?field_name=gender&group_by=born&period=month'))
    expect([counted.categories[0], counted.categories.at(-2), counted.categories.at(-1)]).toEqual([
      '2000-01',
      '2001-05',
      'No answer',
    ])
    expect(dataIn(await body('?field_name=age&group_by=born')).categories).toContain('2001-05-06')
  })

  it('numbers of any size do not break it', async () => {
    const wild = [
      '1e999',
      '-1e999',
      '1e-999',
      '0',
      '-0',
      ...Array.from({ length: 40 }, (_, number) => `1e${number * 20}`),
    ]
    const { get } = await place(wild.map((age) => ({ answers: { age } })))
    expect((await get('?field_name=age')).statusCode).toBe(200)
    expect((await get('?field_name=age&group_by=gender')).statusCode).toBe(200)
  })

  it('days that follow on each other, without gaps; months and years where there are many; what is no day is told', async () => {
    const born = (...days: string[]) => place(days.map((day) => ({ answers: { born: day } })))
    const days = await (await born('2024-02-28', '2024-03-02', '2024-13-45')).body('?field_name=born')
    const [data = ''] = /(?<=id="chart-data">)[\s\S]*?(?=<\/script>)/.exec(days) ?? []
    expect(JSON.parse(data).categories).toEqual(['2024-02-28', '2024-02-29', '2024-03-01', '2024-03-02'])
    expect(days).toContain('1 date is not in the calendar.')
    const years = await (await born('1950-01-01', '2001-01-01')).body('?field_name=born')
    expect(years).toContain('Each bar is a year.')
    expect((await (await born('0001-01-01', '9999-12-31')).get('?field_name=born')).statusCode).toBe(200)
  })

  it('of very many different answers shows the most frequent, and says how many others there are', async () => {
    const many = Array.from({ length: 130 }, (_, number) => ({ answers: { name: `Name ${number}` } }))
    const page = await (await place([...many, { answers: { name: 'Name 7' } }])).body('?field_name=name')
    expect(page).toContain('The chart shows the 30 most frequent of 130 different values.')
    expect(page).toContain('The table leaves out 30 rare or very long values, given 30 times together.')
    expect(page.match(/<title>Name 7: 2<\/title>/g)).toHaveLength(2)
  })

  it('in a repeat it speaks of entries', async () => {
    expect(await (await place()).body('?field_name=kname')).toContain('3 entries')
  })

  it('400 without a field, and with several', async () => {
    const { get } = await place()
    const none = await get('')
    expect([none.statusCode, none.json()]).toEqual([400, { detail: 'Not supported' }])
    const several = await get('?fields=age,gender')
    expect([several.statusCode, several.json()]).toEqual([400, { detail: 'Error: only JSON format supported.' }])
    expect((await get('?field_name=nope')).statusCode).toBe(404)
    expect((await get('?field_name=name&group_by=age')).statusCode).toBe(400)
  })

  it('a browser gets the page of a field without the suffix, and whatever there is otherwise', async () => {
    const { ana, form } = await place()
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const get = (query: string) => app.as(ana)('GET', `/charts/${form.id}${query}`, { headers })
    expect((await get('?field_name=age')).headers['content-type']).toContain('text/html')
    expect((await get('')).json().id).toBe(form.id)
  })

  it('404 for a stranger, 401 for an anonymous caller, as the data', async () => {
    const { form } = await place(people, { isPublic: true })
    expect((await app.call('GET', `/charts/${form.id}.html?field_name=age`)).statusCode).toBe(401)
    const stranger = app.as(await app.account())
    expect((await stranger('GET', `/charts/${form.id}.html?field_name=age`)).statusCode).toBe(404)
  })

  it('is kept for ten minutes; refresh=true draws it again; another title is another page', async () => {
    const { ana, form, body } = await place()
    expect(await body('?field_name=gender')).toContain('5 records')
    await put(app, form, {})
    expect(await body('?field_name=gender')).toContain('5 records')
    expect(await body('?field_name=gender&refresh=true')).toContain('6 records')
    expect((await app.as(ana)('PATCH', `/forms/${form.id}`, { body: { title: 'Folk' } })).statusCode).toBe(200)
    expect(await body('?field_name=gender')).toContain('Folk')
  })
})
