import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish } from '../../../test/support/forms.js'
import { newOrganization, newProject, share } from '../../../test/support/projects.js'
import { instance, newId, send } from '../../../test/support/submissions.js'
import { sql } from '../../platform/db/index.js'
import { recordFormEvent } from '../messaging/index.js'

const app = testApp()
let ana: Account
let reader: Account
let stranger: Account
let project: number
let form: PublishedForm

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  reader = await app.account({ username: 'reader' })
  stranger = await app.account({ username: 'stranger' })
  project = await newProject(app, ana)
  form = await publish(app, ana, undefined, { project })
  await share(app, ana, project, 'reader', 'readonly')
})

type Query = Record<string, string>
const list = (by: Account, query: Query) => app.as(by)('GET', '/messaging', { query })
const ofForm = (more: Query = {}): Query => ({ target_type: 'xform', target_id: String(form.formid), ...more })
const write = (by: Account, body: object) => app.as(by)('POST', '/messaging', { body })
const message = (by: Account, target_type: string, target_id: number, text = 'Hello') =>
  write(by, { target_type, target_id, message: text })
const submit = async (by: Account | null, ids: { id?: string; deprecated?: string } = {}) => {
  const { id = newId() } = ids
  const at = by === null ? '/ana' : ''
  const response = await send(app, by, at, instance(form, '<name>Zoe</name>', { ...ids, id }))
  expect(response.statusCode).toBe(201)
  const { submission } = await app.deps.db.one<{ submission: number }>(sql`
    select submission_id as submission from instance_ids where form_id = ${form.formid} and uuid = ${id}`)
  return submission
}

describe('what is recorded', () => {
  it('a submission, and an edit of it, one event each with the same id, by whoever sent it', async () => {
    const first = newId()
    const id = await submit(ana, { id: first })
    expect(await submit(ana, { deprecated: first })).toBe(id)
    const [edited, created] = (await list(ana, ofForm())).json()
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)
    const text = `{"id": [${id}]}`
    expect(edited).toEqual({ id: expect.any(Number), verb: 'submission_edited', message: text, user: 'ana', timestamp })
    expect(created).toEqual({
      id: expect.any(Number),
      verb: 'submission_created',
      message: text,
      user: 'ana',
      timestamp,
    })
  })

  it('a submission of somebody who did not sign in has no user', async () => {
    const id = await submit(null)
    expect((await list(ana, ofForm())).json()[0]).toMatchObject({ message: `{"id": [${id}]}`, user: null })
  })

  it('a submission that was there before is recorded once', async () => {
    const id = newId()
    await submit(ana, { id })
    const count = async () => (await list(ana, ofForm())).json().length
    const before = await count()
    expect((await send(app, ana, '', instance(form, '<name>Zoe</name>', { id }))).statusCode).toBe(202)
    expect(await count()).toBe(before)
  })

  it('a list of ids has a blank after each comma', async () => {
    const other = await publish(app, ana)
    await recordFormEvent(app.deps.db, {
      formId: other.formid,
      verb: 'submission_deleted',
      ids: [1, 2, 3],
      userId: ana.id,
      now: new Date(),
    })
    const query = { target_type: 'xform', target_id: String(other.formid) }
    expect((await list(ana, query)).json()[0]).toMatchObject({
      verb: 'submission_deleted',
      message: '{"id": [1, 2, 3]}',
    })
  })
})

describe('GET /messaging', () => {
  it('400 says which parameter is missing or wrong, the type first', async () => {
    const detail = async (query: Query) => {
      const response = await list(ana, query)
      return [response.statusCode, response.json().detail]
    }
    expect(await detail({})).toEqual([400, "Parameter 'target_type' is missing."])
    expect(await detail({ target_type: 'xyz' })).toEqual([400, 'Unknown target_type xyz'])
    expect(await detail({ target_type: 'xform' })).toEqual([400, "Parameter 'target_id' is missing."])
    expect(await detail({ target_type: 'xform', target_id: 'x' })).toEqual([
      400,
      'Invalid target_id. It must be a positive integer.',
    ])
    expect(await detail(ofForm({ timestamp__gt: 'soon' }))).toEqual([
      400,
      'timestamp__gt: Enter a valid date/time, e.g. 2026-02-26T03:32:57Z.',
    ])
    for (const beyond of ['-271821-04-20T00:00:00Z', '+275760-09-13T00:00:00Z', '0000-01-01T00:00:00Z']) {
      expect((await detail(ofForm({ timestamp__gt: beyond })))[0]).toBe(400)
    }
    expect(await detail(ofForm({ timestamp__year: 'x' }))).toEqual([
      400,
      'timestamp__year: A valid integer is required.',
    ])
  })

  it('401 for anonymous callers; [] for a target without events', async () => {
    expect((await app.call('GET', '/messaging', { query: ofForm() })).statusCode).toBe(401)
    const other = await publish(app, ana)
    const empty = await list(ana, { target_type: 'xform', target_id: String(other.formid) })
    expect([empty.json(), empty.headers.link]).toEqual([[], undefined])
  })

  it('200 for every role that sees the target; 404 for a hidden one, exactly as for a missing one', async () => {
    for (const [type, id] of [
      ['xform', form.formid],
      ['project', project],
    ] as const) {
      const ask = (by: Account, target_id: number) => list(by, { target_type: type, target_id: String(target_id) })
      expect((await ask(reader, id)).statusCode).toBe(200)
      const [hidden, missing] = [await ask(stranger, id), await ask(stranger, 2147483647)]
      expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
      expect((await list(stranger, { target_type: type, target_id: '99999999999999' })).body).toBe(missing.body)
    }
  })

  it('403 for a form or a project that is public, and for somebody else', async () => {
    const open = await newProject(app, ana, { public: true })
    const shown = await publish(app, ana, undefined, { project: open })
    const statuses = [
      (await list(stranger, { target_type: 'project', target_id: String(open) })).statusCode,
      (await list(stranger, { target_type: 'xform', target_id: String(shown.formid) })).statusCode,
      (await list(stranger, { target_type: 'user', target_id: String(ana.id) })).statusCode,
    ]
    expect(statuses).toEqual([403, 403, 403])
    expect((await list(stranger, { target_type: 'user', target_id: '2147483647' })).statusCode).toBe(404)
  })

  it('an organization’s are for its owners', async () => {
    const org = await newOrganization(app, ana)
    await app.as(ana)('POST', `/orgs/${org}/members`, { body: { username: 'reader', role: 'manager' } })
    const { id } = await app.deps.db.one<{ id: number }>(sql`select id from users where username = ${org}`)
    expect((await message(reader, 'user', id, 'to the owners')).statusCode).toBe(201)
    const query = { target_type: 'user', target_id: String(id) }
    expect((await list(ana, query)).json()).toMatchObject([{ message: 'to the owners' }])
    expect((await list(reader, query)).statusCode).toBe(403)
  })

  it('filters by verb, user and time; what nobody has done is []', async () => {
    const target = await publish(app, ana)
    const times = ['2024-12-31T23:59:59Z', '2025-03-01T10:20:00Z', '2025-03-02T11:30:00Z']
    for (const [index, at] of times.entries()) {
      const by = index === 0 ? reader : ana
      const event = { formId: target.formid, verb: 'submission_created', ids: [index], userId: by.id } as const
      await recordFormEvent(app.deps.db, { ...event, now: new Date(at) })
    }
    const found = async (more: Query) => {
      const response = await list(ana, { target_type: 'xform', target_id: String(target.formid), ...more })
      return response.json().map((one: { message: string }) => JSON.parse(one.message).id[0])
    }
    expect(await found({})).toEqual([2, 1, 0])
    expect(await found({ verb: 'submission_created' })).toEqual([2, 1, 0])
    expect(await found({ verb: 'submission_edited' })).toEqual([])
    expect(await found({ verb: 'nonsense' })).toEqual([])
    expect(await found({ user: 'ANA' })).toEqual([2, 1])
    expect(await found({ user: 'nobody' })).toEqual([])
    expect(await found({ timestamp: times[1] as string })).toEqual([1])
    expect(await found({ timestamp__gt: times[1] as string })).toEqual([2])
    expect(await found({ timestamp__gte: '2025-03-01T13:20:00+03:00' })).toEqual([2, 1])
    expect(await found({ timestamp__lt: times[1] as string })).toEqual([0])
    expect(await found({ timestamp__lte: '2025-03-01T10:20:00 00:00' })).toEqual([1, 0])
    expect(await found({ timestamp__year: '2025' })).toEqual([2, 1])
    expect(await found({ timestamp__year__lt: '2025' })).toEqual([0])
    expect(await found({ timestamp__month: '3', timestamp__day__gte: '2' })).toEqual([2])
    expect(await found({ timestamp__hour: '23' })).toEqual([0])
    expect(await found({ timestamp__minute__lte: '20' })).toEqual([1])
  })

  it('pages when a page is asked for: on the first, only next and last; past the end 404', async () => {
    const target = await publish(app, ana)
    const events = Array.from({ length: 5 }, (_, n) => n)
    for (const n of events) {
      const event = { formId: target.formid, verb: 'submission_created', ids: [n], userId: ana.id } as const
      await recordFormEvent(app.deps.db, { ...event, now: new Date() })
    }
    const query = { target_type: 'xform', target_id: String(target.formid) }
    expect((await list(ana, query)).headers.link).toBeUndefined()
    const first = await list(ana, { ...query, page_size: '2' })
    expect(first.json()).toHaveLength(2)
    expect(String(first.headers.link).match(/rel="\w+"/g)).toEqual(['rel="next"', 'rel="last"'])
    const last = await list(ana, { ...query, page: '3', page_size: '2' })
    expect([last.json().length, String(last.headers.link).match(/rel="\w+"/g)]).toEqual([
      1,
      ['rel="prev"', 'rel="first"'],
    ])
    expect((await list(ana, { ...query, page: '4', page_size: '2' })).json()).toEqual({ detail: 'Invalid page.' })
  })

  it('page_size above 10,000 is cut', async () => {
    const target = await publish(app, ana)
    await app.deps.db.run(sql`
      insert into form_events (form_id, verb, ids, created_at)
      select ${target.formid}, 'submission_created', array[1], now() from generate_series(1, 10001)`)
    const query = { target_type: 'xform', target_id: String(target.formid), page_size: '20000' }
    const first = await list(ana, query)
    expect([first.json().length, first.headers.link]).toEqual([10_000, expect.stringContaining('page=2')])
    expect((await list(ana, { ...query, page: '2' })).json()).toHaveLength(1)
  })
})

describe('POST /messaging', () => {
  it('201 for a form, a project and oneself, and the target’s people read it', async () => {
    for (const [type, id] of [
      ['xform', form.formid],
      ['project', project],
      ['user', ana.id],
    ] as const) {
      const response = await message(ana, type, id, `To ${type} – “é”`)
      expect([response.statusCode, response.json()]).toEqual([
        201,
        {
          id: expect.any(Number),
          verb: 'message',
          message: `To ${type} – “é”`,
          user: 'ana',
          target_id: id,
          target_type: type,
          timestamp: expect.stringMatching(/\+00:00$/),
        },
      ])
      const { target_id: _id, target_type: _type, ...event } = response.json()
      expect((await list(ana, { target_type: type, target_id: String(id) })).json()[0]).toEqual(event)
      expect((await app.as(ana)('GET', `/messaging/${event.id}`)).json()).toEqual(event)
    }
  })

  it('400 names every fault, and forged events are refused', async () => {
    expect((await write(ana, {})).json()).toEqual({
      target_type: ['This field is required.'],
      target_id: ['This field is required.'],
      message: ['This field is required.'],
    })
    const body = { target_type: 'team', target_id: 'x', message: ' ', verb: 'submission_created' }
    expect((await write(ana, body)).json()).toEqual({
      target_type: ['"team" is not a valid choice.'],
      target_id: ['A valid integer is required.'],
      message: ['This field may not be blank.'],
      verb: ['"submission_created" is not a valid choice.'],
    })
  })

  it('400 for what the caller cannot see, exactly as for what is not there; 403 below editor', async () => {
    for (const [type, id] of [
      ['xform', form.formid],
      ['project', project],
    ] as const) {
      const hidden = await message(stranger, type, id)
      expect([hidden.statusCode, hidden.json()]).toEqual([400, { target_id: ['target_id not found'] }])
      expect((await message(stranger, type, 2147483647)).body).toBe(hidden.body)
      expect((await message(stranger, type, -1)).statusCode).toBe(400)
      const refused = await message(reader, type, id)
      expect([refused.statusCode, refused.json()]).toEqual([
        403,
        { detail: `You do not have permission to add messages to target_id ${id}.` },
      ])
    }
  })

  it.each([
    ['readonly-no-download', 403, 403],
    ['readonly', 403, 403],
    ['dataentry-only', 403, 403],
    ['dataentry-minor', 403, 403],
    ['dataentry', 403, 403],
    ['editor-minor', 201, 403],
    ['editor', 201, 403],
    ['manager', 201, 204],
    ['owner', 201, 204],
  ])(
    '%s: %i for writing to the form and to the project, %i for removing what others wrote',
    async (role, written, removed) => {
      const person = await app.account()
      await share(app, ana, project, person.username, role)
      for (const [type, id] of [
        ['xform', form.formid],
        ['project', project],
      ] as const) {
        expect((await message(person, type, id)).statusCode).toBe(written)
        const event = (await message(ana, type, id)).json().id
        expect((await app.as(person)('DELETE', `/messaging/${event}`)).statusCode).toBe(removed)
      }
    },
  )

  it('201 to people of the same project or organization, 403 to others', async () => {
    expect((await message(ana, 'user', reader.id)).statusCode).toBe(201)
    expect((await message(ana, 'user', stranger.id)).statusCode).toBe(403)
    const org = await newOrganization(app, ana)
    await app.as(ana)('POST', `/orgs/${org}/members`, { body: { username: 'stranger' } })
    expect((await message(ana, 'user', stranger.id)).statusCode).toBe(201)
  })
})

describe('/messaging/{id}', () => {
  it('404 for a hidden one, exactly as for a missing one; readers of the target read it', async () => {
    for (const [type, id] of [
      ['xform', form.formid],
      ['project', project],
    ] as const) {
      const event = (await message(ana, type, id)).json().id
      expect((await app.as(reader)('GET', `/messaging/${event}`)).statusCode).toBe(200)
      for (const method of ['GET', 'DELETE'] as const) {
        const [hidden, missing, odd] = [
          await app.as(stranger)(method, `/messaging/${event}`),
          await app.as(stranger)(method, '/messaging/999999999'),
          await app.as(stranger)(method, '/messaging/x'),
        ]
        expect([hidden.statusCode, hidden.body, odd.body]).toEqual([404, missing.body, missing.body])
      }
    }
  })

  it('403 for what was written to somebody else', async () => {
    const event = (await message(ana, 'user', ana.id)).json().id
    expect((await app.as(stranger)('GET', `/messaging/${event}`)).statusCode).toBe(403)
    expect((await app.as(stranger)('DELETE', `/messaging/${event}`)).statusCode).toBe(403)
  })

  it('DELETE 204 for its author, a manager of the target and the user it was written to; 403 for readers', async () => {
    const remove = (by: Account, id: number) => app.as(by)('DELETE', `/messaging/${id}`)
    const toForm = (await message(ana, 'xform', form.formid)).json().id
    expect((await remove(reader, toForm)).statusCode).toBe(403)
    expect((await remove(ana, toForm)).statusCode).toBe(204)
    expect((await app.as(ana)('GET', `/messaging/${toForm}`)).statusCode).toBe(404)
    const toReader = (await message(ana, 'user', reader.id)).json().id
    expect((await remove(reader, toReader)).statusCode).toBe(204)
    const ownWords = (await message(ana, 'user', reader.id)).json().id
    expect((await remove(ana, ownWords)).statusCode).toBe(204)
  })

  it('403 for removing what happened, also for the owner; PUT and PATCH are 405', async () => {
    await submit(ana)
    const [event] = (await list(ana, ofForm({ verb: 'submission_created' }))).json()
    expect((await app.as(ana)('DELETE', `/messaging/${event.id}`)).statusCode).toBe(403)
    for (const method of ['PUT', 'PATCH'] as const) {
      expect((await app.as(ana)(method, `/messaging/${event.id}`, { body: {} })).statusCode).toBe(405)
    }
  })
})
