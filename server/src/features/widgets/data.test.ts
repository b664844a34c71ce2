import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { countStatements, watchStatements } from '../../../test/support/statements.js'
import { Board, survey } from '../../../test/support/widgets.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let board: Board
let ben: Account

const records = (by: number) => [
  {
    answers: { name: 'Tom', age: '9', sex: 'm', fruits: 'apple fig', 'visit/height': '1.5' },
    at: '2026-01-02T10:00:00Z',
  },
  { answers: { name: 'Ann', age: '21', sex: 'f', fruits: 'apple' }, at: '2026-01-02T11:00:00Z', by },
  { answers: { name: 'Eve', age: '21', sex: 'f', 'visit/height': '1.75' }, at: '2026-01-03T10:00:00Z', duration: 18 },
  { answers: { name: 'Kim', age: '100', sex: 'x', 'visit/day': '2026-01-01' }, at: '2026-01-03T10:00:00Z', by },
  {
    answers: {
      name: 'Zoe',
      kids: [
        { 'kids/kname': 'a', 'kids/kage': '3' },
        { 'kids/kname': 'b', 'kids/kage': '3' },
      ],
    },
  },
]

beforeAll(async () => {
  board = await Board.open(app)
  ben = await board.person('dataentry-minor')
  await board.put(...records(ben.id))
})

const dataFor = async (fields: object, by?: Account) => {
  const { id } = await board.add(fields)
  return board.data(id, by)
}

describe('data of a widget', () => {
  it('is empty unless it is asked for', async () => {
    const widget = await board.add()
    for (const query of ['', '?data=false', '?data=', '?data=perhaps'])
      expect((await board.get(widget.id, query)).json().data).toEqual([])
    for (const query of ['?data=true', '?data=True', '?data=1'])
      expect((await board.get(widget.id, query)).json().data).toHaveLength(3)
  })

  it('counts each value by the column as it was given, numbers in their order, without those who did not answer', async () => {
    expect(await dataFor({ column: 'age' })).toEqual([
      { count: 1, age: '9' },
      { count: 2, age: '21' },
      { count: 1, age: '100' },
    ])
    expect(await dataFor({ column: 'height' })).toEqual([
      { count: 1, height: '1.5' },
      { count: 1, height: '1.75' },
    ])
    expect((await dataFor({ column: 'visit/height' }))[0]).toEqual({ count: 1, 'visit/height': '1.5' })
  })

  it('shows choices by their names, also those that the form does not have', async () => {
    expect(await dataFor({ column: 'sex' })).toEqual([
      { count: 2, sex: 'f' },
      { count: 1, sex: 'm' },
      { count: 1, sex: 'x' },
    ])
    expect(await dataFor({ column: 'fruits' })).toEqual([
      { count: 1, fruits: 'apple' },
      { count: 1, fruits: 'apple fig' },
    ])
    expect(await dataFor({ column: 'fruits/fig' })).toEqual([
      { count: 1, 'fruits/fig': 'False' },
      { count: 1, 'fruits/fig': 'True' },
    ])
  })

  it('counts days, submitters, durations, and every entry of a repeat', async () => {
    const days = (await dataFor({ column: '_submission_time' })).slice(0, 2)
    expect(days).toEqual([
      { count: 2, _submission_time: '2026-01-02' },
      { count: 2, _submission_time: '2026-01-03' },
    ])
    expect(await dataFor({ column: '_submitted_by' })).toEqual([{ count: 2, _submitted_by: ben.username }])
    expect(await dataFor({ column: '_duration' })).toEqual([{ count: 1, _duration: '18.0' }])
    expect(await dataFor({ column: 'day' })).toEqual([{ count: 1, day: '2026-01-01' }])
    expect(await dataFor({ column: 'kage' })).toEqual([{ count: 2, kage: '3' }])
  })

  it('grouped: sum and mean of numbers for every group, by label', async () => {
    expect(await dataFor({ column: 'age', group_by: 'sex' })).toEqual([
      { sex: ['Female'], count: 2, sum: 42, mean: 21 },
      { sex: ['Male'], count: 1, sum: 9, mean: 9 },
      { sex: ['x'], count: 1, sum: 100, mean: 100 },
    ])
    expect(await dataFor({ column: 'age', group_by: '_submitted_by' })).toEqual([
      { _submitted_by: ben.username, count: 2, sum: 121, mean: 60.5 },
    ])
  })

  it('grouped: for every value of another column, how often each group comes with it', async () => {
    expect(await dataFor({ column: 'sex', group_by: 'fruits' })).toEqual([
      { sex: 'f', items: [{ fruits: ['Apple'], count: 1 }] },
      { sex: 'm', items: [{ fruits: ['Apple', 'Fig'], count: 1 }] },
    ])
    expect(await dataFor({ column: 'sex', group_by: 'age' })).toEqual([
      { sex: 'f', items: [{ age: '21', count: 2 }] },
      { sex: 'm', items: [{ age: '9', count: 1 }] },
      { sex: 'x', items: [{ age: '100', count: 1 }] },
    ])
  })

  it('follows records as they come and go', async () => {
    const own = await board.beside()
    const { id } = await own.add()
    expect(await own.data(id)).toEqual([])
    const [record] = await own.put({ answers: { age: '5' } }, { answers: { age: '6' } })
    expect(await own.data(id)).toHaveLength(2)
    await board.call('DELETE', `/data/${own.form.id}/${record}`)
    expect(await own.data(id)).toEqual([{ count: 1, age: '6' }])
  })

  it('of a question that is called count steps aside for the count', async () => {
    const versions = ['| survey |\n| | type | name | label |\n| | integer | count | N |\n| | text | __proto__ | P |']
    const own = await board.beside({ versions })
    await own.put({ answers: { count: '7', ['__proto__']: 'x' } })
    expect(await own.data((await own.add({ column: 'count' })).id)).toEqual([{ count: 1, count_: '7' }])
    const response = await own.get((await own.add({ column: '__proto__' })).id, '?data=true')
    expect(response.body).toContain('"data":[{"count":1,"__proto__":"x"}]')
  })
})

describe('who sees which records', () => {
  it('own ones only, where that is the rule', async () => {
    expect(await dataFor({ column: 'age' }, ben)).toEqual([
      { count: 1, age: '21' },
      { count: 1, age: '100' },
    ])
    const { id } = await board.add({ column: 'age' })
    const listed = (await board.list(undefined, ben)).find((widget) => widget.id === id)
    expect(listed?.data).toHaveLength(2)
  })

  it('none for whoever enters data only; all for readers', async () => {
    expect(await dataFor({ column: 'age' }, await board.person('dataentry-only'))).toEqual([])
    expect(await dataFor({ column: 'age' }, await board.person('readonly-no-download'))).toHaveLength(3)
  })

  it('all by key: the key was given away by somebody who may', async () => {
    const { key } = await board.add({ column: 'age' })
    const byKey = async (headers = {}) => (await app.call('GET', `/widgets?key=${key}`, { headers })).json()[0].data
    expect(await byKey()).toHaveLength(3)
    expect(await byKey({ authorization: `Token ${ben.apiToken}` })).toHaveLength(3)
    expect(await byKey({ authorization: `Token ${(await app.account()).apiToken}` })).toHaveLength(3)
  })

  it('the key is for those who see all of them anyway; others cannot turn a widget whose key they know', async () => {
    const widget = await board.add({ column: 'age' })
    for (const role of ['dataentry-only', 'dataentry-minor', 'editor-minor']) {
      const person = await board.person(role)
      expect((await board.get(widget.id, '?data=true', person)).json()).not.toHaveProperty('key')
      for (const query of ['', `?xform=${board.form.id}`])
        expect((await board.list(query, person)).filter(({ key }) => key !== undefined)).toEqual([])
    }
    const part = await board.person('editor-minor')
    const made = await board.post({ column: 'age' }, part)
    expect([made.statusCode, made.json().key]).toEqual([201, undefined])
    for (const body of [{ column: 'name' }, { group_by: 'sex' }]) {
      const refused = await board.patch(widget.id, body, part)
      expect([refused.statusCode, refused.json().detail]).toEqual([403, expect.stringContaining('all records')])
    }
    const other = await Board.open(app)
    await app.deps.db.run(sql`
      insert into form_roles (form_id, user_id, role, created_at)
      values (${board.form.id}, ${other.owner.id}, 'editor-minor', now())`)
    const moved = await other.patch((await other.add()).id, { content_object: board.address })
    expect(moved.statusCode).toBe(403)
    const changed = await board.patch(widget.id, { title: 'T', column: 'age', order: 0 }, part)
    expect([changed.statusCode, changed.json().key]).toEqual([200, undefined])
    const reader = await board.person('readonly')
    expect((await board.get(widget.id, '', reader)).json().key).toBe(widget.key)
    expect((await board.list('', reader))[0]?.key).toBeDefined()
  })

  it('all of them for everybody where the data are public', async () => {
    const open = await board.beside({ isDataPublic: true })
    await open.put(...records(ben.id))
    await open.add()
    const response = await app.call('GET', `/widgets?xform=${open.form.id}`)
    expect(response.json()[0].data).toHaveLength(3)
  })
})

describe('many widgets', () => {
  it('of one form are counted in a few statements, each as it is counted alone', async () => {
    const own = await board.beside()
    await own.put(...records(ben.id))
    const columns = ['name', 'age', 'sex', 'fruits', 'fruits/apple', 'visit/day', 'height', 'kage', '_submission_time']
    for (let place = 0; place < 48; place++) {
      const column = columns[place % columns.length] as string
      await own.add({ column, ...(place % 4 === 0 && column !== 'kage' && { group_by: '_submitted_by' }) })
    }
    const before = countStatements(app)
    const widgets = await own.list()
    expect(countStatements(app) - before).toBeLessThan(25)
    expect(widgets).toHaveLength(48)
    for (const { id, data } of widgets) expect(data).toEqual(await own.data(id))
  })

  it('never take more than two connections at once', async () => {
    const own = await board.beside()
    await own.put(...records(ben.id))
    for (const column of ['age', 'sex', 'name', 'fruits/apple', 'fruits/fig', '_duration', 'day', 'height'])
      await own.add({ column, group_by: '_submitted_by' })
    let running = 0
    let most = 0
    const stop = watchStatements(app, () => {
      most = Math.max(most, ++running)
      return () => {
        running--
      }
    })
    try {
      expect(await own.list()).toHaveLength(8)
    } finally {
      stop()
    }
    expect(most).toBe(2)
  })

  it('are counted once for all who ask at once, and apart for whoever sees their own alone', async () => {
    const own = await board.beside()
    const minor = await own.person('dataentry-minor')
    await own.put({ answers: { age: '30' } }, { answers: { age: '7' }, by: minor.id })
    await own.add({ column: 'age' })
    let passes = 0
    const stop = watchStatements(app, (text) => {
      if (/from submissions/.test(text)) passes += 1
      return () => undefined
    })
    try {
      const askers = Array.from({ length: 20 }, (_, place) => (place % 2 === 0 ? own.owner : minor))
      const lists = await Promise.all(askers.map((asker) => own.list(undefined, asker)))
      for (const [place, [widget]] of lists.entries()) {
        const ages = widget?.data.map(({ age }) => age)
        expect(ages).toEqual(place % 2 === 0 ? ['7', '30'] : ['7'])
      }
      expect(passes).toBeGreaterThan(1)
      expect(passes).toBeLessThan(10)
    } finally {
      stop()
    }
  })
})

describe('a form that is replaced', () => {
  it('leaves the data of a widget empty whose column or group it no longer asks, and the widget can be changed', async () => {
    const own = await board.beside()
    await own.put(...records(ben.id))
    const lost = await own.add({ column: 'age', title: 'lost' })
    const ungrouped = await own.add({ column: 'name', group_by: 'age' })
    const kept = await own.add({ column: 'name' })
    const without = survey.replace(/.*\| age .*\n/, '')
    const second = await board.beside({ versions: [without] })
    await app.deps.db.run(sql`
      insert into form_versions (form_id, number, version, title, xml, hash, model, created_by, created_at, modified_at)
      select ${own.form.id}, 2, 'v2', title, xml, hash, model, created_by, now(), now()
      from form_versions where form_id = ${second.form.id}`)
    await app.deps.db.run(sql`update forms set version_number = 2 where id = ${own.form.id}`)
    const listed = await own.list()
    expect(listed.map(({ data }) => data.length)).toEqual([0, 0, 5])
    for (const { id } of [lost, ungrouped]) expect(await own.data(id)).toEqual([])
    expect(await own.data(kept.id)).toHaveLength(5)
    expect((await own.patch(lost.id, { title: 'still there' })).statusCode).toBe(200)
    expect((await own.patch(lost.id, { group_by: 'sex' })).statusCode).toBe(200)
    expect((await own.patch(lost.id, { column: 'age' })).statusCode).toBe(400)
  })
})
