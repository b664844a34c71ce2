// Two places that are alike: to one a submission is posted as a whole, so that it may take the shortcut, to the other in two
// pieces, so that it cannot. Whatever has changed since the sender's last submission, both answer and store the same.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, visitSheet } from '../../../test/support/forms.js'
import { type KeyBody, newKey } from '../../../test/support/keys.js'
import { countQuestions, listen, type Posted, post } from '../../../test/support/posting.js'
import { newProject, share } from '../../../test/support/projects.js'
import { instance, newId, type SentFile, submissionBody } from '../../../test/support/submissions.js'
import { type Sql, sql } from '../../platform/db/index.js'

const app = testApp()
let made = 0
let questions: () => number
/** Of those that were posted as a whole: by one question. */
let shortcuts = 0

beforeAll(async () => {
  await listen(app)
  questions = countQuestions(app)
})
afterAll(() => app.http.app.server.closeAllConnections())

/** An account with a project, a form and a key, and somebody who enters data there. */
interface Place {
  readonly name: string
  readonly owner: Account
  readonly sender: Account
  readonly projectId: number
  readonly form: PublishedForm
  readonly key: KeyBody
  /** Instance ids that were sent. */
  readonly sent: string[]
}

const db = () => app.database.db

/** `isOpen`: nobody has to sign in to submit. */
const newPlace = async (name: string, isOpen: boolean): Promise<Place> => {
  const owner = await app.account({ username: `owner_${name}` })
  const sender = await app.account({ username: `sender_${name}` })
  const projectId = await newProject(app, owner)
  await share(app, owner, projectId, sender.username, 'dataentry')
  const form = await publish(app, owner, visitSheet({ form_id: `visit_${name}`, version: '1' }), { project: projectId })
  await db().run(sql`update forms set requires_auth = ${!isOpen} where id = ${form.formid}`)
  const key = await newKey(app, owner, projectId, { name: 'Tablet' })
  return { name, owner, sender, projectId, form, key, sent: [] }
}

type Way = { readonly path: (place: Place) => string; readonly headers: (place: Place) => Record<string, string> }

const token = ({ sender }: Place) => ({ Authorization: `Token ${sender.apiToken}` })
const password = ({ sender }: Place) => ({
  Authorization: `Basic ${Buffer.from(`${sender.username}:${sender.password}`).toString('base64')}`,
})
const atOwner = ({ owner }: Place) => `/${owner.username}/submission`

const ways: Readonly<Record<string, Way>> = {
  'a token': { path: atOwner, headers: token },
  'a password': { path: atOwner, headers: password },
  'an e-mail address': {
    path: atOwner,
    headers: ({ sender }) => ({
      Authorization: `Basic ${Buffer.from(`${sender.email}:${sender.password}`).toString('base64')}`,
    }),
  },
  'a token, to the project': { path: ({ projectId }) => `/projects/${projectId}/submission`, headers: token },
  'a token, to the form': { path: ({ form }) => `/forms/${form.formid}/submission`, headers: token },
  'a token, to no account': { path: () => '/submission', headers: token },
  'a token, to the API': { path: () => '/api/v1/submissions', headers: token },
  'a key': { path: ({ key }) => `/key/${key.token}/submission?deviceID=a`, headers: () => ({}) },
  nobody: { path: atOwner, headers: () => ({}) },
}

const run = (statement: Sql) => db().run(statement)

const changed = async (owner: Account, { formid }: PublishedForm, body: object) =>
  expect(await app.as(owner)('PATCH', `/forms/${formid}`, { body })).toMatchObject({ statusCode: 200 })

const changes: Readonly<Record<string, (place: Place) => Promise<unknown>>> = {
  nothing: async () => undefined,
  'the token is renewed': ({ sender }) =>
    run(sql`update api_tokens set token_hash = ${newId()} where user_id = ${sender.id}`),
  'the account is closed': ({ sender }) => run(sql`update users set is_active = false where id = ${sender.id}`),
  'the account has another name': async ({ sender }) => {
    await run(sql`update users set username = ${`new_${sender.username}`} where id = ${sender.id}`)
    await run(sql`update sign_in_names set name = ${`new_${sender.username}`} where name = ${sender.username}`)
  },
  'the password is another': ({ sender }) =>
    run(sql`update passwords set hash = 'another' where user_id = ${sender.id}`),
  'somebody guesses the password': ({ sender }) =>
    run(sql`
      insert into attempts (kind, account, address, count, expires_at)
      values ('login', ${`user:${sender.id}`}, '127.0.0.1', 1, now() + interval '1 hour') on conflict do nothing`),
  'the account is locked': ({ sender }) =>
    run(sql`
      insert into attempts (kind, account, address, count, expires_at, locked_until)
      values ('login', ${`user:${sender.id}`}, '127.0.0.1', 10, now() + interval '1 hour', now() + interval '1 hour')
      on conflict (kind, account, address) do update set count = excluded.count, locked_until = excluded.locked_until`),
  'the role is another': ({ owner, sender, projectId }) => share(app, owner, projectId, sender.username, 'readonly'),
  'the role is lower': ({ owner, sender, projectId }) =>
    share(app, owner, projectId, sender.username, 'dataentry-only'),
  'the role is gone': ({ projectId, sender }) =>
    run(sql`delete from project_roles where project_id = ${projectId} and user_id = ${sender.id}`),
  'the form has a role of its own for them': ({ form, sender }) =>
    run(sql`
      insert into form_roles (form_id, user_id, role, created_at)
      values (${form.formid}, ${sender.id}, 'readonly', now())`),
  'nobody has to sign in': ({ form }) => run(sql`update forms set requires_auth = false where id = ${form.formid}`),
  'everybody has to sign in': ({ form }) => run(sql`update forms set requires_auth = true where id = ${form.formid}`),
  'the form is closed': ({ form }) => run(sql`update forms set state = 'closed' where id = ${form.formid}`),
  'the form is closing': ({ form }) => run(sql`update forms set state = 'closing' where id = ${form.formid}`),
  'the form is deleted': ({ form }) => run(sql`update forms set deleted_at = now() where id = ${form.formid}`),
  'the project is deleted': ({ projectId }) => run(sql`update projects set deleted_at = now() where id = ${projectId}`),
  'the owner is gone': ({ owner }) => run(sql`update users set is_active = false where id = ${owner.id}`),
  'the owner asks everybody to sign in': ({ owner }) =>
    run(sql`update profiles set require_auth = true where user_id = ${owner.id}`),
  'the form has another title': ({ owner, form }) => changed(owner, form, { title: 'Another' }),
  'the form has another version': ({ owner, form, name }) => {
    const sheet = visitSheet({ form_id: `visit_${name}`, version: '2' }).replace('text,name', 'text,called')
    return changed(owner, form, { text_xls_form: sheet })
  },
  'the form is encrypted': ({ form }) => run(sql`update forms set public_key = 'key' where id = ${form.formid}`),
  'the form has another id': ({ form }) =>
    run(sql`update forms set id_string = id_string || '_2', id_key = id_key || '_2' where id = ${form.formid}`),
  'the form moves': async ({ owner, form }) => {
    const elsewhere = await newProject(app, owner)
    await run(sql`update forms set project_id = ${elsewhere} where id = ${form.formid}`)
  },
  'the key is revoked': ({ key }) => run(sql`update device_keys set revoked_at = now() where id = ${key.id}`),
  'the key has ended': ({ key }) => run(sql`update device_keys set expires_at = now() where id = ${key.id}`),
  'the key is renewed': ({ key }) => run(sql`update device_key_tokens set sealed = null where key_id = ${key.id}`),
  'the key has another name': ({ key }) => run(sql`update device_keys set name = 'Phone' where id = ${key.id}`),
  'the key opens another form': async ({ key }) =>
    run(sql`update device_keys set has_all_forms = false where id = ${key.id}`),
  'the key acts for somebody': ({ key, sender }) =>
    run(sql`update device_keys set acts_as = ${sender.id} where id = ${key.id}`),
}

/** Asked for by the owner, who may not be there any more after another one. */
const ofOwner = new Set([
  'the role is another',
  'the role is lower',
  'the form has another title',
  'the form has another version',
  'the form moves',
])

interface Sending {
  readonly xml: string
  readonly files?: readonly SentFile[]
}

const answers = '<name>Zoe</name><age>30</age><sex>f</sex>'

const sendings: Readonly<Record<string, (place: Place) => Sending>> = {
  'a new record': ({ form }) => ({ xml: instance(form, answers) }),
  'a new record without a version': ({ form: { id_string, uuid } }) => ({
    xml: instance({ id_string, uuid }, answers),
  }),
  'a new record by the id of its form': ({ form: { id_string } }) => ({ xml: instance({ id_string }, answers) }),
  'a record of a version that never was': ({ form }) => ({ xml: instance({ ...form, version: '9' }, answers) }),
  'the last one again': ({ form, sent }) => ({ xml: instance(form, answers, { id: sent.at(-1) as string }) }),
  'an edit of the last one': ({ form, sent }) => ({
    xml: instance(form, answers, { deprecated: sent.at(-1) as string }),
  }),
  'an edit of what is to come': ({ form }) => ({ xml: instance(form, answers, { deprecated: newId() }) }),
  'a record with a file': ({ form }) => ({ xml: instance(form, answers), files: [{ name: 'a.txt', content: 'a' }] }),
  'what says that it is encrypted': ({ form }) => ({
    xml: instance(form, answers).replace(' id=', ' encrypted="yes" id='),
  }),
  'a record from long ago': ({ form }) => ({
    xml: instance(form, answers).replace(' id=', ' submissionDate="2020-01-02T03:04:05.000Z" id='),
  }),
  'half of a record': ({ form }) => ({ xml: instance(form, answers).slice(0, 150) }),
  'an empty record': ({ form }) => ({ xml: `<data id="${form.id_string}"/>` }),
}

const send = (place: Place, way: Way, { xml, files }: Sending, isWhole: boolean): Promise<Posted> => {
  place.sent.push(/instanceID>uuid:([^<]*)</.exec(xml)?.[1] ?? '')
  const { body, headers } = submissionBody(xml, files)
  const whole = { path: way.path(place), headers: { ...headers, 'User-Agent': 'phone', ...way.headers(place) }, body }
  return post(app, isWhole ? whole : { ...whole, inBetween: async () => undefined })
}

/** What differs between two places that are alike. */
const withoutNames = (text: string, { name, form, key }: Place): string =>
  text
    .replaceAll(form.uuid, 'FORM')
    .replaceAll(key.token, 'TOKEN')
    .replaceAll(new RegExp(`(owner|sender|visit)_${name}`, 'g'), '$1')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, (time) => (time.startsWith('2020') ? time : 'TIME'))
    .replace(/(projects|forms)\/\d+/g, '$1/N')
    .replace(/^(date|x-request-id|content-length|expires):.*$/gim, '$1')

/** Everything that is kept of the form's records. */
const stored = async (place: Place): Promise<string> => {
  const { form, sender, key } = place
  const rows = await db().rows(sql`
    select uuid, xml, answers, version, model_number, root_name, status, submitted_by = ${sender.id} as is_senders,
      submitted_at::text, duration, media_total, media_count, jsonb_array_length(attachments) as files,
      device_key_id = ${key.id} as is_keys, device_key, device_id, device_agent, edited_at is null as is_new
    from submissions where form_id = ${form.formid} order by id`)
  const beside = await db().rows(sql`
    select (select count(*) from instance_ids where form_id = ${form.formid}) as ids,
      (select sum(submissions) from form_counts where form_id = ${form.formid}) as counted,
      (select coalesce(sum(records), 0) from device_key_counts where key_id = ${key.id}) as "byKey",
      (select json_agg(json_build_array(verb, array_length(ids, 1), user_id = ${sender.id}, device_key) order by id)
        from form_events where form_id = ${form.formid}) as events`)
  return withoutNames(
    JSON.stringify([rows, beside])
      .replace(/ \d\d:\d\d:[\d.]+\+00/g, 'T')
      .replace(/"2026-[\d-]+T"/g, '"TIME"'),
    place,
  )
}

/** What a case is, of two places that are alike. */
const compare = async (
  isOpen: boolean,
  by: Way,
  change: (place: Place) => Promise<unknown>,
  sending: (place: Place) => Sending,
) => {
  const number = ++made
  const twins = await Promise.all([newPlace(`a${number}`, isOpen), newPlace(`b${number}`, isOpen)])
  const told: string[][] = []
  for (const [index, place] of twins.entries()) {
    const isWhole = index === 0
    const lines: string[] = []
    const say = async (one: Sending) => {
      questions()
      const { status, headers, body } = await send(place, by, one, isWhole)
      if (isWhole && status === 201 && questions() === 1) shortcuts += 1
      lines.push(withoutNames(`${status}\n${headers}\n${body}`, place))
    }
    const usual = sendings['a new record'] as (place: Place) => Sending
    await say(usual(place))
    await say(usual(place))
    await change(place)
    await say(sending(place))
    // What was learned by it is as good as what was not.
    await say(usual(place))
    lines.push(await stored(place))
    told.push(lines)
  }
  expect(told[0]).toEqual(told[1])
}

describe('the shortcut and the ordinary way answer and store the same', () => {
  const usual = sendings['a new record'] as (place: Place) => Sending
  const cases = Object.keys(changes).flatMap((name) => [
    { name, isOpen: false, kind: 'a form for those who may' },
    { name, isOpen: true, kind: 'a form for everybody' },
  ])

  it.each(cases)('$kind, when $name', async ({ name, isOpen }) => {
    const way = /key/.test(name) ? 'a key' : /password|guesses|locked/.test(name) ? 'a password' : 'a token'
    shortcuts = 0
    await compare(isOpen, ways[way] as Way, changes[name] as () => Promise<unknown>, usual)
    // The second at least: otherwise nothing is compared.
    expect(shortcuts).toBeGreaterThan(0)
  })

  it.each(Object.keys(sendings))('for %s', async (name) => {
    const sending = sendings[name] as (place: Place) => Sending
    await compare(false, ways['a token'] as Way, async () => undefined, sending)
  })

  it('for whatever comes together', async () => {
    const names = (of: object) => fc.constantFrom(...Object.keys(of))
    const whatever = fc.tuple(fc.boolean(), names(ways), names(changes), names(changes), names(sendings))
    await fc.assert(
      fc.asyncProperty(whatever, async ([isOpen, way, one, other, what]) => {
        const change = async (place: Place) => {
          const both = [...new Set([one, other])].sort((a, b) => Number(ofOwner.has(b)) - Number(ofOwner.has(a)))
          for (const name of both) await changes[name]?.(place)
        }
        await compare(isOpen, ways[way] as Way, change, sendings[what] as (place: Place) => Sending)
      }),
      { numRuns: 25 },
    )
  }, 600_000)
})
