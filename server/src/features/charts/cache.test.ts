// Charts are kept for ten minutes, for everybody who sees the same.
import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { peopleSurvey } from '../../../test/support/charts.js'
import { giveRole, newForm, put } from '../../../test/support/data.js'
import { newProject } from '../../../test/support/projects.js'
import { putForm } from '../../../test/support/records.js'
import { sql } from '../../platform/db/index.js'
import { openChartCache } from './chart-cache.js'

const app = testApp()

const place = async () => {
  const made = await newForm(app, { versions: [peopleSurvey] })
  await put(app, made.form, { answers: { age: '1' } })
  const total = async (query = '', caller = made.ana) => {
    const response = await app.as(caller)('GET', `/charts/${made.form.id}?field_name=age${query}`)
    const rows: { count: number }[] = response.json().data
    return rows.reduce((sum, { count }) => sum + count, 0)
  }
  return { ...made, total }
}

describe('the cache of charts', () => {
  it('an answer holds for ten minutes; refresh=true counts again, and keeps that', async () => {
    const { form, total } = await place()
    expect(await total()).toBe(1)
    await put(app, form, { answers: { age: '2' } })
    expect(await total()).toBe(1)
    app.wait(599)
    expect(await total()).toBe(1)
    app.wait(2)
    expect(await total()).toBe(2)
    await put(app, form, { answers: { age: '3' } })
    expect(await total('&refresh=true')).toBe(3)
    expect(await total()).toBe(3)
  })

  it('is shared by all processes, and by everybody who sees all records', async () => {
    const { form, total } = await place()
    const other = await app.account()
    await giveRole(app, form, other, 'readonly')
    await total()
    await put(app, form, {})
    expect(await total('', other)).toBe(1)
    // Another process has its own memory, and the same table.
    const cached = openChartCache(app.deps)
    const question = { formId: form.id, about: ['x'], isFresh: false }
    expect(await cached({ ...question, make: async () => 'first' })).toBe('first')
    expect(await openChartCache(app.deps)({ ...question, make: async () => 'second' })).toBe('first')
  })

  it('never shows the records of one person to another', async () => {
    const { form, total } = await place()
    const [one, two] = [await app.account(), await app.account()]
    await giveRole(app, form, one, 'dataentry-minor')
    await giveRole(app, form, two, 'dataentry-minor')
    await put(app, form, { answers: { age: '5' }, by: one.id }, { answers: { age: '5' }, by: one.id })
    expect([await total(), await total('', one), await total('', two)]).toEqual([3, 2, 0])
    // A role that sees more gets what it sees.
    await giveRole(app, form, two, 'readonly')
    expect(await total('', two)).toBe(3)
  })

  it('tells fields, groups and versions of the form apart', async () => {
    const { ana, form, total } = await place()
    expect(await total()).toBe(1)
    const grouped = await app.as(ana)('GET', `/charts/${form.id}?field_name=age&group_by=gender`)
    expect(grouped.json().grouped_by).toBe('gender')
    const projectId = await newProject(app, ana)
    const head = '| survey |\n| | type | name | label |\n'
    const replaced = await putForm(app.deps.db, {
      ownerId: ana.id,
      projectId,
      versions: [`${head}| | text | q | Old |`],
    })
    const label = async () => (await app.as(ana)('GET', `/charts/${replaced.id}?field_name=q`)).json().field_label
    expect(await label()).toBe('Old')
    await app.deps.db.run(sql`
      insert into form_versions (form_id, number, version, title, xml, hash, model, created_by, created_at, modified_at)
      select form_id, 2, 'v2', title, xml, '', replace(model::text, 'Old', 'New')::json, created_by, now(), now()
      from form_versions where form_id = ${replaced.id}`)
    await app.deps.db.run(sql`update forms set version_number = 2 where id = ${replaced.id}`)
    expect(await label()).toBe('New')
  })

  it('equal questions that come at once are counted once or twice, not each time', async () => {
    const { form } = await place()
    const cached = openChartCache(app.deps)
    let made = 0
    const make = async () => {
      made += 1
      return String(made)
    }
    const question = { formId: form.id, about: ['many'], isFresh: false, make }
    expect(await Promise.all(Array.from({ length: 50 }, () => cached(question)))).toEqual(Array(50).fill('1'))
    await Promise.all(Array.from({ length: 50 }, () => cached({ ...question, isFresh: true })))
    expect(made).toBeLessThanOrEqual(3)
  })

  it('refresh=true during submissions shows every record that was there before it was asked', async () => {
    const { form, total } = await place()
    let stored = 1
    const submit = async () => {
      for (let round = 0; round < 20; round += 1) {
        await put(app, form, { answers: { age: '2' } })
        stored += 1
      }
    }
    const look = async () => {
      for (let round = 0; round < 10; round += 1) {
        const before = stored
        expect(await total('&refresh=true')).toBeGreaterThanOrEqual(before)
      }
    }
    await Promise.all([submit(), look(), look(), look()])
    expect(await total('&refresh=true')).toBe(21)
    expect(await total()).toBe(21)
  })

  it('what was counted later is not overwritten by what was counted before', async () => {
    const { form } = await place()
    const cached = openChartCache(app.deps)
    let release: (text: string) => void = () => undefined
    const slow = new Promise<string>((resolve) => {
      release = resolve
    })
    const question = { formId: form.id, about: ['race'], isFresh: true }
    const began = new Promise<void>((begin) => {
      void cached({
        ...question,
        make: () => {
          begin()
          return slow
        },
      })
    })
    await began
    app.wait(1)
    // Another process is faster.
    await openChartCache(app.deps)({ ...question, make: async () => 'later' })
    release('before')
    expect(await cached({ ...question, isFresh: false, make: async () => 'never' })).toBe('later')
  })

  it('what is too old is removed, and so is the oldest of very many', async () => {
    const { form } = await place()
    const cached = openChartCache(app.deps)
    const kept = async () =>
      (await app.deps.db.one<{ count: number }>(sql`select count(*) from chart_cache where form_id = ${form.id}`)).count
    for (let number = 0; number < 310; number += 1) {
      await cached({ formId: form.id, about: [number], isFresh: false, make: async () => '' })
    }
    expect(await kept()).toBe(300)
    app.wait(601)
    await app.deps.jobs.run('charts.sweep', {})
    expect(await kept()).toBe(0)
  })
})
