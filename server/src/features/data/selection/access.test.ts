import { describe, expect, it } from 'vitest'
import { testApp } from '../../../../test/support/app.js'
import { giveRole, newForm, put, useForm, useRecords } from '../../../../test/support/data.js'
import { sql } from '../../../platform/db/index.js'

const app = testApp()
const place = useForm(app)

useRecords(app, place, () => [{}, { by: place.ana.id }, {}, {}])

describe('who sees what', () => {
  const people = ['readonly-no-download', 'readonly', 'dataentry', 'editor', 'manager', 'owner']

  it.each(people)('200 with all records for %s', async (role) => {
    const person = await app.account()
    await giveRole(app, place.form, person, role)
    expect((await app.as(person)('GET', `/data/${place.form.id}`)).json()).toHaveLength(4)
  })

  it.each(['dataentry-minor', 'editor-minor'])('200 with one’s own records for %s', async (role) => {
    const person = await app.account()
    await giveRole(app, place.form, person, role)
    const [own] = await put(app, place.form, { by: person.id, answers: { name: 'own' } })
    const response = await app.as(person)('GET', `/data/${place.form.id}`)
    expect(response.json().map(({ _id }: { _id: number }) => _id)).toEqual([own])
    await app.deps.db.run(sql`delete from submissions where form_id = ${place.form.id} and id = ${own}`)
    await app.deps.db.run(
      sql`update form_counts set submissions = submissions - 1 where form_id = ${place.form.id} and version = 'v1'`,
    )
  })

  it('404 for dataentry-only and for a stranger, 401 for an anonymous caller, as for a missing form', async () => {
    const [only, stranger] = [await app.account(), await app.account()]
    await giveRole(app, place.form, only, 'dataentry-only')
    const missing = await app.as(place.ana)('GET', '/data/2147483647')
    for (const response of [
      await app.as(only)('GET', `/data/${place.form.id}`),
      await app.as(stranger)('GET', `/data/${place.form.id}`),
    ]) {
      expect([response.statusCode, response.body]).toEqual([404, missing.body])
    }
    const nobody = await app.call('GET', `/data/${place.form.id}`)
    expect(nobody.statusCode).toBe(401)
    expect((await app.call('GET', '/data/2147483647')).body).toBe(nobody.body)
  })

  it('a public form with private data: a stranger gets [], an anonymous caller 401; public data are for all', async () => {
    const { form: open } = await newForm(app, { isPublic: true })
    const { form: bare } = await newForm(app, { isDataPublic: true })
    for (const one of [open, bare]) await put(app, one, {})
    const stranger = await app.account()
    expect((await app.as(stranger)('GET', `/data/${open.id}`)).body).toBe('[]')
    expect((await app.call('GET', `/data/${open.id}`)).statusCode).toBe(401)
    expect((await app.call('GET', `/data/${bare.id}`)).json()).toHaveLength(1)
    expect((await app.as(stranger)('GET', `/data/${bare.id}`)).json()).toHaveLength(1)
  })

  it('404 for a deleted form', async () => {
    const { ana: owner, form: gone } = await newForm(app)
    await app.deps.db.run(sql`update forms set deleted_at = now() where id = ${gone.id}`)
    expect((await app.as(owner)('GET', `/data/${gone.id}`)).statusCode).toBe(404)
  })
})
