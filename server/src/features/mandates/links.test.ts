// Records of a form as files of another: for as long as whoever linked them manages the form.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { publish } from '../../../test/support/forms.js'
import { ends, look, Place } from '../../../test/support/mandates.js'

const app = testApp()
let ana: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

/** A form of the person’s own that shows the place’s records. */
const linked = async (place: Place, source = `xform ${place.form.formid}`) => {
  const own = await publish(app, place.person)
  const body = { xform: own.formid, data_type: 'media', data_value: `${source} taken` }
  const { id } = (await place.call('POST', '/metadata', body, place.person)).json()
  const readAs = () =>
    app.page('GET', `/${place.person.username}/xformsMedia/${own.formid}/${id}.csv`, {
      headers: { authorization: `Token ${place.person.apiToken}` },
    })
  return { own, id, readAs }
}

const managed = async () => {
  const place = await Place.open(app, ana)
  await place.share('manager')
  await place.submit('Amina')
  return place
}

describe('a link by somebody who', () => {
  it.each(ends.filter(([words]) => !words.includes('account')))(
    '%s hands nothing on, and both sides are told once',
    async (_words, begin) => {
      const place = await Place.open(app, ana)
      const end = await begin(place)
      await place.submit('Amina')
      const { own, readAs } = await linked(place)
      expect((await readAs()).body).toContain('Amina')
      await end(place)
      expect((await readAs()).statusCode).toBe(404)
      for (const _ of [1, 2]) await look(app)
      expect(await place.events()).toEqual([expect.stringContaining('The file taken.csv of this form')])
      const path = `/messaging?target_type=xform&target_id=${own.formid}&verb=message`
      const theirs = (await place.call('GET', path, undefined, place.person)).json()
      expect(theirs).toMatchObject([
        { message: expect.stringContaining('The file taken.csv, records of another form') },
      ])
      expect(theirs[0].message).not.toContain(place.form.title)
    },
  )

  it('comes back hands nothing on by the old link, once it was told; by a new one they do', async () => {
    const place = await managed()
    const { readAs, own, id } = await linked(place)
    await place.remove()
    await look(app)
    await place.share('manager')
    expect((await readAs()).statusCode).toBe(404)
    await place.call('DELETE', `/metadata/${id}`, undefined, place.person)
    const body = { xform: own.formid, data_type: 'media', data_value: `xform ${place.form.formid} taken` }
    const { id: again } = (await place.call('POST', '/metadata', body, place.person)).json()
    const headers = { authorization: `Token ${place.person.apiToken}` }
    const file = await app.page('GET', `/${place.person.username}/xformsMedia/${own.formid}/${again}.csv`, { headers })
    expect(file.body).toContain('Amina')
  })

  it('is gone stops handing on among the forms of one owner too, and they are told', async () => {
    const place = await managed()
    const other = await publish(app, ana, undefined, { project: place.project })
    const body = { xform: other.formid, data_type: 'media', data_value: `xform ${place.form.formid} people` }
    const { id } = (await place.call('POST', '/metadata', body, place.person)).json()
    const headers = { authorization: `Token ${ana.apiToken}` }
    const file = () => app.page('GET', `/${place.org}/xformsMedia/${other.formid}/${id}.csv`, { headers })
    expect((await file()).body).toContain('Amina')
    await place.remove()
    expect((await file()).statusCode).toBe(404)
    await look(app)
    expect(await place.events()).toEqual([expect.stringContaining('The file people.csv of this form')])
  })
})
