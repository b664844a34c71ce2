// Charts as data: /charts, /charts/{formid}.
import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { people, peopleSurvey } from '../../../test/support/charts.js'
import { giveRole, newForm, put } from '../../../test/support/data.js'
import type { RecordFields } from '../../../test/support/records.js'
import { countStatements } from '../../../test/support/statements.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()

const place = async (fields: Parameters<typeof newForm>[1] = {}, records: readonly RecordFields[] = people) => {
  const made = await newForm(app, { versions: [peopleSurvey], ...fields })
  await put(app, made.form, ...records)
  const get = (query: string, suffix = '') => app.as(made.ana)('GET', `/charts/${made.form.id}${suffix}${query}`)
  return { ...made, get }
}

const rowsOf = async (form: Awaited<ReturnType<typeof place>>, query: string) => (await form.get(query)).json().data

describe('GET /charts', () => {
  it('200 with id, id_string and url of the forms whose records the caller sees; strangers have none of them', async () => {
    const { ana, form } = await place()
    const entry = { id: form.id, id_string: form.idString, url: `http://localhost:80/api/v1/charts/${form.id}` }
    expect((await app.as(ana)('GET', '/charts')).json()).toEqual([entry])
    const stranger = await app.account()
    expect((await app.as(stranger)('GET', '/charts')).json()).toEqual([])
    expect((await app.call('GET', '/charts')).json()).not.toContainEqual(entry)
    await giveRole(app, form, stranger, 'dataentry-minor')
    expect((await app.as(stranger)('GET', '/charts.json')).json()).toEqual([entry])
  })

  it('200 for anonymous callers with the forms whose data are public', async () => {
    const { form } = await place({ isPublic: true, isDataPublic: true })
    expect((await app.call('GET', '/charts')).json()).toContainEqual(expect.objectContaining({ id: form.id }))
  })
})

describe('GET /charts/{formid}', () => {
  it('200 with the address of the chart of every question, in the order of the form, by bare name', async () => {
    const { form, get } = await place()
    const url = `http://localhost:80/api/v1/charts/${form.id}`
    const detail = await get('')
    expect(detail.json()).toEqual({
      id: form.id,
      id_string: form.idString,
      url,
      fields: Object.fromEntries(
        ['name', 'gender', 'age', 'pizza_fan', 'fruits', 'born', 'income', 'kname', 'school'].map((name) => [
          name,
          `${url}?field_name=${name}`,
        ]),
      ),
    })
    expect(Object.keys(detail.json().fields)[1]).toBe('gender')
    expect((await get('', '.json')).body).toBe(detail.body)
    // The addresses lead to charts.
    const [address] = Object.values(detail.json().fields) as string[]
    expect((await get(address?.slice(url.length) ?? '')).json()).toMatchObject({ field_name: 'name' })
  })

  it('names two questions of the same name by their paths; the bare name means the first', async () => {
    const head = '| survey |\n| | type | name | label |\n'
    const twins = `${head}| | begin group | a | A |\n| | text | q | First |\n| | end group | | |\n| | begin group | b | B |\n| | text | q | Second |\n| | end group | | |`
    const made = await place({ versions: [twins] }, [{ answers: { 'a/q': 'x', 'b/q': 'y' } }])
    expect(Object.keys((await made.get('')).json().fields)).toEqual(['a/q', 'b/q'])
    expect((await made.get('?field_name=q')).json()).toMatchObject({
      field_xpath: 'a/q',
      data: [{ q: ['x'], count: 1 }],
    })
    expect((await made.get('?field_name=b/q')).json()).toMatchObject({ field_label: 'Second', data: [{ q: ['y'] }] })
    expect((await made.get('?field_xpath=b/q')).json()).toMatchObject({ field_xpath: 'b/q' })
  })

  it('knows the questions of former versions too, after those of the newest', async () => {
    const head = '| survey |\n| | type | name | label |\n'
    const made = await place({ versions: [`${head}| | text | old | Old |`, `${head}| | text | new | New |`] }, [
      { answers: { old: 'x' } },
      { answers: { new: 'y' } },
    ])
    expect(Object.keys((await made.get('')).json().fields)).toEqual(['new', 'old'])
    expect(await rowsOf(made, '?field_name=old')).toEqual([
      { old: ['x'], count: 1 },
      { old: [null], count: 1 },
    ])
  })

  it('404 for a hidden form, exactly as for a missing one; 400 for an id that is none; 404 for another format', async () => {
    const { form } = await place()
    const stranger = app.as(await app.account())
    const hidden = await stranger('GET', `/charts/${form.id}`)
    const missing = await stranger('GET', '/charts/2147483647')
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
    expect((await stranger('GET', `/charts/${form.id}?field_name=age`)).statusCode).toBe(404)
    expect((await stranger('GET', '/charts/abc')).statusCode).toBe(400)
    const owned = await place()
    expect((await owned.get('?field_name=age', '.csv')).statusCode).toBe(404)
  })

  it('where the form is public and its data are not: 401 for anonymous callers, 404 for strangers', async () => {
    const { form } = await place({ isPublic: true })
    const stranger = app.as(await app.account())
    for (const query of ['', '?field_name=age', '?fields=all']) {
      expect((await app.call('GET', `/charts/${form.id}${query}`)).statusCode).toBe(401)
      expect((await stranger('GET', `/charts/${form.id}${query}`)).statusCode).toBe(404)
    }
  })

  it('404 for whoever only enters data; own records alone for whoever sees their own; all of them for public data', async () => {
    const { form } = await place()
    const [only, minor] = [await app.account(), await app.account()]
    await giveRole(app, form, only, 'dataentry-only')
    await giveRole(app, form, minor, 'dataentry-minor')
    await put(app, form, { answers: { age: '77' }, by: minor.id })
    expect((await app.as(only)('GET', `/charts/${form.id}?field_name=age`)).statusCode).toBe(404)
    const own = await app.as(minor)('GET', `/charts/${form.id}?field_name=age`)
    expect(own.json().data).toEqual([{ age: '77', count: 1 }])
    const open = await place({ isPublic: true, isDataPublic: true })
    expect((await app.call('GET', `/charts/${open.form.id}?field_name=gender`)).json().data).toHaveLength(3)
  })
})

describe('GET /charts/{formid}?field_name=', () => {
  it('a select one: labels, by count and then by value, and what the field is', async () => {
    const { form, get } = await place()
    expect((await get('?field_name=gender')).json()).toEqual({
      data: [
        { gender: [], count: 1 },
        { gender: ['Female'], count: 2 },
        { gender: ['Male'], count: 2 },
      ],
      data_type: 'categorized',
      field_label: 'Gender',
      field_xpath: 'gender',
      field_name: 'gender',
      field_type: 'select one',
      grouped_by: null,
      answered: 4,
      unanswered: 1,
      xform: form.id,
    })
  })

  it('a number: the text as it was sent, and null for no answer', async () => {
    const made = await place()
    expect(await rowsOf(made, '?field_name=age')).toEqual([
      { age: '28', count: 1 },
      { age: '9', count: 1 },
      { age: null, count: 1 },
      { age: '21', count: 2 },
    ])
    expect((await made.get('?field_name=income')).json()).toMatchObject({
      data_type: 'numeric',
      field_type: 'decimal',
      field_label: 'Income',
      field_xpath: 'more/income',
      field_name: 'income',
    })
  })

  it('a date: days, without those who gave none', async () => {
    const made = await place()
    expect((await made.get('?field_name=born')).json()).toMatchObject({
      data_type: 'time_based',
      data: [
        { born: '2000-01-02', count: 1 },
        { born: '2001-05-06', count: 2 },
      ],
    })
  })

  it('a select multiple: labels of each combination; what is no choice stays as it is', async () => {
    expect(await rowsOf(await place(), '?field_name=fruits')).toEqual([
      { fruits: ['durian'], count: 1 },
      { fruits: ['Mango'], count: 1 },
      { fruits: ['Orange', 'Mango'], count: 1 },
      { fruits: [], count: 2 },
    ])
  })

  it('a select multiple: `choices` counts each choice, beside the combinations; no answer is told apart', async () => {
    const made = await place()
    const choices = [
      { fruits: ['durian'], count: 1 },
      { fruits: ['Orange'], count: 1 },
      { fruits: ['Mango'], count: 2 },
    ]
    const chart = (await made.get('?field_name=fruits')).json()
    expect(chart).toMatchObject({ choices, answered: 3, unanswered: 2 })
    expect((await made.get('?fields=fruits,gender')).json()).toMatchObject({ fruits: { choices, unanswered: 2 } })
    expect((await made.get('?field_name=gender')).json()).not.toHaveProperty('choices')
  })

  it('a select multiple of more combinations than one answer holds: choices are counted over all of them', async () => {
    const names = Array.from({ length: 14 }, (_, place) => `c${place}`)
    const survey = `| survey |\n| | type | name | label |\n| | select_multiple many | many | Many |\n| choices |\n| | list_name | name | label |\n${names.map((name) => `| | many | ${name} | ${name.toUpperCase()} |`).join('\n')}`
    const made = await place({ versions: [survey] }, [])
    // Every set of fourteen choices but the empty one, each once.
    await app.deps.db.run(sql`
      insert into submissions (form_id, id, uuid, xml, answers, version, model_number, root_name, status, submitted_at,
        modified_at, change_no, media_total, media_count, attachments)
      select ${made.form.id}, nextval('submission_ids'), 'u' || number, '<data/>',
        jsonb_build_object('many', (select string_agg('c' || bit, ' ') from generate_series(0, 13) bit where (number >> bit) & 1 = 1)),
        'v1', 1, 'data', 'submitted_via_web', now(), now(), (select next_change()), 0, 0, '[]'
      from generate_series(1, 16383) number`)
    const chart = (await made.get('?field_name=many')).json()
    expect(chart.data).toHaveLength(10_000)
    expect(chart.others).toEqual({ values: 6383, count: 6383 })
    expect(chart.choices).toHaveLength(14)
    expect(chart.choices).toContainEqual({ many: ['C7'], count: 8192 })
    expect([chart.answered, chart.unanswered]).toEqual([16383, 0])
  })

  it('a text: the value in a list; no answer is an empty one, or one of null where the form has no choices', async () => {
    expect(await rowsOf(await place(), '?field_name=name')).toContainEqual({ name: [], count: 1 })
    const bare = await place({ versions: ['| survey |\n| | type | name | label |\n| | text | a | A |'] }, [{}])
    expect(await rowsOf(bare, '?field_name=a')).toEqual([{ a: [null], count: 1 }])
  })

  it('built-in fields: the day and the person of the submission, and how long it took', async () => {
    const made = await place({}, [])
    await put(app, made.form, { by: made.ana.id, at: '2024-05-01T23:59:59Z', duration: 18 })
    await put(app, made.form, { at: '2024-05-02T00:00:00Z' })
    expect((await made.get('?field_name=_submission_time')).json()).toMatchObject({
      field_label: 'Submission Time',
      field_type: 'datetime',
      data_type: 'time_based',
      data: [
        { _submission_time: '2024-05-01', count: 1 },
        { _submission_time: '2024-05-02', count: 1 },
      ],
    })
    expect((await made.get('?field_name=_submitted_by')).json()).toMatchObject({
      field_label: 'Submission By',
      field_type: 'text',
      data_type: 'categorized',
      data: [
        { _submitted_by: made.ana.username, count: 1 },
        { _submitted_by: null, count: 1 },
      ],
    })
    expect((await made.get('?field_name=_duration')).json()).toMatchObject({
      field_label: 'Duration',
      field_type: 'integer',
      data_type: 'numeric',
      data: [
        { _duration: '18.0', count: 1 },
        { _duration: null, count: 1 },
      ],
    })
  })

  it('a question in a repeat: each entry counts', async () => {
    expect(await rowsOf(await place(), '?field_name=kname')).toEqual([
      { kname: [], count: 1 },
      { kname: ['Kim'], count: 2 },
    ])
  })

  it('labels are those of the first language, of questions and of choices', async () => {
    const survey = `| survey |
| | type | name | label::French (fr) | label::English (en) |
| | select_one yn | q | Question ? | Question? |
| choices |
| | list_name | name | label::French (fr) | label::English (en) |
| | yn | y | Oui | Yes |`
    const made = await place({ versions: [survey] }, [{ answers: { q: 'y' } }])
    expect((await made.get('?field_name=q')).json()).toMatchObject({
      field_label: 'Question ?',
      data: [{ q: ['Oui'] }],
    })
  })

  it('deleted records are not counted', async () => {
    const made = await place()
    const [{ _id }] = (await app.as(made.ana)('GET', `/data/${made.form.id}`)).json()
    expect((await app.as(made.ana)('DELETE', `/data/${made.form.id}/${_id}`)).statusCode).toBe(204)
    const rows: { count: number }[] = await rowsOf(made, '?field_name=gender')
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(people.length - 1)
  })

  it('404 for a field that is not there', async () => {
    const { get } = await place()
    const response = await get('?field_name=nope')
    expect([response.statusCode, response.json()]).toEqual([
      404,
      { detail: 'Field nope does not not exist on the form' },
    ])
    expect((await get('?field_xpath=nope')).statusCode).toBe(404)
  })
})

describe('GET /charts/{formid}?fields=', () => {
  it('the data of each field by name, without xform; wins over field_name; what is unknown is left out', async () => {
    const made = await place()
    const { xform, ...gender } = (await made.get('?field_name=gender')).json()
    expect((await made.get('?fields=gender,nope,_submitted_by&field_name=age')).json()).toEqual({
      gender,
      _submitted_by: expect.objectContaining({ data: [{ _submitted_by: null, count: 5 }] }),
    })
  })

  it('404 where none of them is there', async () => {
    const { get } = await place()
    const response = await get('?fields=nope')
    expect([response.statusCode, response.json().detail]).toEqual([404, 'Field [nope] does not not exist on the form'])
  })

  it('all: every question as its own chart shows it, without instanceID', async () => {
    const made = await place()
    const all = (await made.get('?fields=all')).json()
    expect(Object.keys(all)).toEqual(Object.keys((await made.get('')).json().fields))
    for (const [name, chart] of Object.entries(all)) {
      const { xform, ...single } = (await made.get(`?field_name=${name}`)).json()
      expect(chart, name).toEqual(single)
    }
  })

  it('all of 50 questions takes as many statements as one', async () => {
    const rows = Array.from({ length: 50 }, (_, place) => `| | text | q${place} | Q${place} |`)
    const wide = `| survey |\n| | type | name | label |\n${rows.join('\n')}`
    const answers = Object.fromEntries(rows.map((_, place) => [`q${place}`, String(place % 3)]))
    const made = await place({ versions: [wide] }, [{ answers }])
    const statements = async (query: string) => {
      const before = countStatements(app)
      expect((await made.get(query)).statusCode).toBe(200)
      return countStatements(app) - before
    }
    await made.get('')
    const single = await statements('?field_name=q1')
    expect(await statements('?fields=all')).toBe(single)
  })
})

describe('a question that is called as what a row has', () => {
  it('is shown with a mark behind its name', async () => {
    const survey = '| survey |\n| | type | name | label |\n| | text | count | C |\n| | text | constructor | D |'
    const made = await place({ versions: [survey] }, [{ answers: { count: '7', constructor: 'x' } }])
    expect(await rowsOf(made, '?field_name=count')).toEqual([{ count_: ['7'], count: 1 }])
    expect(await rowsOf(made, '?field_name=constructor')).toEqual([{ constructor: ['x'], count: 1 }])
    expect(Object.keys((await made.get('?fields=all')).json())).toEqual(['count', 'constructor'])
    expect((await made.get('?field_name=toString')).statusCode).toBe(404)
  })
})

describe('what people wrote', () => {
  it('is not hidden by a single answer that is very long', async () => {
    const names = [` ${'x'.repeat(2_100_000)}`, 'Ann', 'Bob']
    const made = await place(
      {},
      names.map((name) => ({ answers: { name } })),
    )
    const chart = (await made.get('?field_name=name')).json()
    expect([chart.data, chart.others]).toEqual([
      [
        { name: ['Ann'], count: 1 },
        { name: ['Bob'], count: 1 },
      ],
      { values: 1, count: 1 },
    ])
    expect((await made.get('?fields=all')).json().name.data).toEqual(chart.data)
  })

  it('comes back as it is, whatever it looks like', async () => {
    const hostile = [
      '</script>',
      '"><img src=x onerror=alert(1)>',
      "'; drop table submissions; --",
      '‮evil',
      '\u0001',
      '__proto__',
      '$1 %s {0}',
    ]
    const made = await place(
      {},
      hostile.map((name) => ({ answers: { name } })),
    )
    const rows: { name: string[] }[] = await rowsOf(made, '?field_name=name')
    expect(rows.map(({ name: [text] }) => text).sort()).toEqual([...hostile].sort())
  })
})
