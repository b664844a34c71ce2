// An invitation counts as long as whoever made it could make it today.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { ends, look, Place } from '../../../test/support/mandates.js'

const app = testApp()
let ana: Account
let made = 0

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

const invite = async (place: Place, role = 'editor', by = place.person) => {
  const name = `guest${++made}`
  const email = `${name}@example.org`
  const { id } = (await place.call('POST', `/projects/${place.project}/invitations`, { email, role }, by)).json()
  return { id: id as number, name, email }
}

/** What the guest may look at, once there is an account. */
const arrive = async (place: Place, { name, email }: { name: string; email: string }) => {
  const guest = await app.account({ username: name, email })
  return (await app.as(guest)('GET', `/projects/${place.project}`)).statusCode
}

const statusOf = async (place: Place, id: number) =>
  (await place.call('GET', `/projects/${place.project}/invitations`))
    .json()
    .find((one: { id: number }) => one.id === id).status

const managed = async (role = 'manager') => {
  const place = await Place.open(app, ana)
  await place.share(role)
  return place
}

describe('an invitation by somebody who', () => {
  it.each(ends.filter(([words]) => !words.includes('of the form')))(
    '%s is not accepted, before and after it was found to be void, and is revoked then',
    async (_words, begin) => {
      const place = await Place.open(app, ana)
      const end = await begin(place)
      const [first, second] = [await invite(place), await invite(place)]
      await end(place)
      expect(await arrive(place, first)).toBe(404)
      expect(await statusOf(place, first.id)).toBe(1)
      await look(app)
      expect([await statusOf(place, first.id), await statusOf(place, second.id)]).toEqual([3, 3])
      expect(await arrive(place, second)).toBe(404)
    },
  )

  it('was an owner and is a manager now counts for what a manager gives, and not for an owner’s role', async () => {
    const place = await managed('owner')
    const [owner, manager] = [await invite(place, 'owner'), await invite(place, 'manager')]
    await place.share('manager')
    await look(app)
    expect([await statusOf(place, owner.id), await statusOf(place, manager.id)]).toEqual([3, 1])
    expect([await arrive(place, owner), await arrive(place, manager)]).toEqual([404, 200])
  })

  it('may still invite counts', async () => {
    const place = await managed()
    const one = await invite(place)
    await look(app)
    expect(await arrive(place, one)).toBe(200)
  })
})

describe('an invitation of an owner', () => {
  it('that a manager turned to another address goes with the manager', async () => {
    const place = await managed()
    const { id } = await invite(place, 'editor', ana)
    const own = { name: `guest${++made}`, email: `guest${made}@example.org` }
    const body = { email: own.email, role: 'manager', invitation_id: id }
    await place.call('PUT', `/projects/${place.project}/invitations`, body, place.person)
    await place.remove()
    expect(await arrive(place, own)).toBe(404)
  })

  it('that a manager sent again stays the owner’s', async () => {
    const place = await managed()
    const one = await invite(place, 'editor', ana)
    await place.call('POST', `/projects/${place.project}/resend-invitation`, { invitation_id: one.id }, place.person)
    await place.remove()
    await look(app)
    expect(await arrive(place, one)).toBe(200)
  })
})

it('whoever sends a void invitation again, before it is revoked, answers for it', async () => {
  const place = await managed()
  const one = await invite(place)
  await place.remove()
  await place.call('POST', `/projects/${place.project}/resend-invitation`, { invitation_id: one.id })
  await look(app)
  expect([await statusOf(place, one.id), await arrive(place, one)]).toEqual([1, 200])
})

it('owners are told once; the address stands in their mail, not in the event that everybody on the project reads', async () => {
  const place = await managed()
  const { id, email } = await invite(place)
  await place.remove()
  for (const _ of [1, 2]) await look(app)
  const events = await place.events('project')
  expect(events).toEqual([expect.stringContaining(`Invitation ${id} (editor) is revoked`)])
  expect(events[0]).not.toContain(email)
  const mails = (await app.mailsTo(ana.email)).filter(({ text }) => text.includes(`Invitation ${id} `))
  expect(mails).toHaveLength(1)
  expect(mails[0]?.text).toContain(`${place.person.username} no longer has the right to give this role on the project.`)
  expect(mails[0]?.text).toContain(email)
})
