// A key for devices works as long as whoever holds it manages the project.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { fetchBy, newKey } from '../../../test/support/keys.js'
import { ends, look, Place } from '../../../test/support/mandates.js'

const app = testApp()
let ana: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

const managed = async () => {
  const place = await Place.open(app, ana)
  await place.share('manager')
  return place
}

const get = (id: number) => app.as(ana)('GET', `/keys/${id}`)

describe('a key of somebody who', () => {
  it.each(ends.filter(([words]) => !words.includes('of the form')))(
    '%s opens nothing from then on, and the owners are told once',
    async (_words, begin) => {
      const place = await Place.open(app, ana)
      const end = await begin(place)
      const key = await newKey(app, place.person, place.project, { name: 'Tablet of a person' })
      expect((await fetchBy(app, key, '/formList')).statusCode).toBe(200)
      await end(place)
      expect((await fetchBy(app, key, '/formList')).statusCode).toBe(403)
      expect((await get(key.id)).json().stopped_at).not.toBeNull()
      for (const _ of [1, 2]) await look(app)
      expect(await place.events('project')).toEqual([expect.stringContaining(`Key ${key.id} ("Tablet of a person")`)])
      const mails = (await app.mailsTo(ana.email)).filter(({ text }) => text.includes(`Key ${key.id} `))
      expect(mails).toHaveLength(1)
    },
  )

  it('is made an editor of its only form opens nothing: 403, not an empty list', async () => {
    const place = await managed()
    const key = await newKey(app, place.person, place.project)
    const share = { username: place.person.username, role: 'editor' }
    await place.call('POST', `/forms/${place.form.formid}/share`, share)
    expect((await fetchBy(app, key, '/formList')).statusCode).toBe(403)
  })

  it('comes back opens it again, unless the owners were told before', async () => {
    const place = await managed()
    const key = await newKey(app, place.person, place.project)
    await place.remove()
    await place.share('manager')
    expect((await fetchBy(app, key, '/formList')).statusCode).toBe(200)
    await place.remove()
    await look(app)
    await place.share('manager')
    expect((await fetchBy(app, key, '/formList')).statusCode).toBe(403)
  })

  it('is gone is taken over by whoever saves it, with the same code, or renews it, with another', async () => {
    const place = await managed()
    const [saved, renewed] = [
      await newKey(app, place.person, place.project),
      await newKey(app, place.person, place.project),
    ]
    await place.remove()
    await look(app)
    await app.as(ana)('PATCH', `/keys/${saved.id}`, { body: { name: 'Mine' } })
    const fresh = (await app.as(ana)('POST', `/keys/${renewed.id}/renew`)).json()
    expect((await fetchBy(app, saved, '/formList')).statusCode).toBe(200)
    expect((await fetchBy(app, fresh, '/formList')).statusCode).toBe(200)
    expect((await fetchBy(app, renewed, '/formList')).statusCode).toBe(403)
    expect((await get(saved.id)).json()).toMatchObject({ stopped_at: null, created_by: place.person.username })
  })
})
