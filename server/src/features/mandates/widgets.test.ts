// A widget's key opens its data to anybody who has it, for as long as whoever made it may see and change them.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { ends, look, Place } from '../../../test/support/mandates.js'

const app = testApp()
let ana: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

const body = ({ form }: Place, fields: object = {}) => ({
  content_object: `http://localhost/api/v1/forms/${form.formid}`,
  widget_type: 'charts',
  view_type: 'pie',
  column: 'name',
  title: 'Names',
  ...fields,
})

const add = async (place: Place, by = place.person) =>
  (await place.call('POST', '/widgets', body(place), by)).json() as { id: number; key: string }

const open = async (key: string) => {
  const { statusCode, body: text } = await app.call('GET', `/widgets?key=${key}`)
  return statusCode === 200 ? 200 : text
}

const unknown = () => open('0'.repeat(32))

const losing = ends.filter(([words]) => !words.includes('is made an editor'))

const managed = async () => {
  const place = await Place.open(app, ana)
  await place.share('manager')
  return { place, widget: await add(place) }
}

describe('the key of a widget whose maker', () => {
  it.each(losing)('%s is 404, exactly as an unknown one; the widget stays with the form', async (_words, begin) => {
    const place = await Place.open(app, ana)
    const end = await begin(place)
    const { id, key } = await add(place)
    expect(await open(key)).toBe(200)
    await end(place)
    expect(await open(key)).toBe(await unknown())
    expect((await place.call('GET', `/widgets/${id}?data=true`)).json()).toMatchObject({ id, title: 'Names' })
    await look(app)
    expect(await open(key)).toBe(await unknown())
    const seen = (await place.call('GET', `/widgets?xform=${place.form.formid}`)).json()
    expect([seen.length, seen[0].key]).toEqual([1, undefined])
  })

  it.each([
    ['editor', 200],
    ['editor-minor', 404],
    ['dataentry', 404],
    ['readonly', 404],
  ])('is %s from now on answers %i', async (role, status) => {
    const { place, widget } = await managed()
    await place.share(role)
    expect((await app.call('GET', `/widgets?key=${widget.key}`)).statusCode).toBe(status)
  })

  it('comes back stays closed once the owners were told', async () => {
    const { place, widget } = await managed()
    await place.remove()
    await look(app)
    await place.share('manager')
    expect(await open(widget.key)).toBe(await unknown())
  })
})

describe('a widget whose key has stopped', () => {
  it.each(['before', 'after'])(
    'has a new key when somebody saves it, %s the owners were told; the old one stays unknown',
    async (when) => {
      const { place, widget } = await managed()
      await place.remove()
      if (when === 'after') await look(app)
      const saved = (await place.call('PATCH', `/widgets/${widget.id}`, { title: 'Ours' })).json()
      expect(saved.key).toMatch(/^[0-9a-f]{32}$/)
      expect([await open(saved.key), await open(widget.key)]).toEqual([200, await unknown()])
      await look(app)
      expect(await open(saved.key)).toBe(200)
    },
  )

  it('is not opened again by somebody who sees a part of the records', async () => {
    const { place, widget } = await managed()
    await place.share('editor-minor')
    const saved = await place.call('PATCH', `/widgets/${widget.id}`, { title: 'Mine' }, place.person)
    expect(saved.json().key).toBeUndefined()
    expect((await place.call('GET', `/widgets/${widget.id}`)).json().title).toBe('Mine')
    expect(await open(widget.key)).toBe(await unknown())
  })
})

describe('a widget that works', () => {
  it('keeps its key and its person through a change of words by somebody else', async () => {
    const place = await Place.open(app, ana)
    await place.share('manager')
    const { id, key } = await add(place, ana)
    const saved = await place.call('PATCH', `/widgets/${id}`, { title: 'Words', order: 0 }, place.person)
    expect(saved.json().key).toBe(key)
    await place.remove()
    expect(await open(key)).toBe(200)
  })

  it('is of whoever changed what it counts', async () => {
    const place = await Place.open(app, ana)
    await place.share('manager')
    const { id, key } = await add(place, ana)
    await place.call('PATCH', `/widgets/${id}`, { column: 'age' }, place.person)
    expect(await open(key)).toBe(200)
    await place.remove()
    expect(await open(key)).toBe(await unknown())
  })

  it('made by somebody who sees a part of the records, and never the key, is the owning account’s', async () => {
    const place = await Place.open(app, ana)
    await place.share('editor-minor')
    const { id, key } = await add(place)
    expect(key).toBeUndefined()
    const seen = (await place.call('GET', `/widgets/${id}`)).json()
    await place.remove()
    await look(app)
    expect(await open(seen.key)).toBe(200)
  })
})

it('owners are told once, by a mail and an event', async () => {
  const { place, widget } = await managed()
  await add(place)
  await place.remove()
  for (const _ of [1, 2]) await look(app)
  const events = await place.events()
  expect(events).toEqual([expect.stringContaining(`The key of widget ${widget.id} ("Names") opens nothing any more`)])
  const mails = (await app.mailsTo(ana.email)).filter(({ text }) => text.includes(`${place.person.username} no longer`))
  expect(mails.map(({ text }) => text.match(/^- The key of widget/gm)?.length)).toEqual([2])
})
