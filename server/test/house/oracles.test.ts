// Hidden equals missing: whoever may not see a thing gets the same answer for it as for one that there is not, status and
// body. Every route is asked, with every name in its address, its parameters and its body that could refer to something.
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/platform/db/index.js'
import type { RouteEntry } from '../../src/platform/http/index.js'
import { runPendingJobs } from '../../src/platform/jobs/index.js'
import { type Account, testApp } from '../support/app.js'
import { publish, sheet } from '../support/forms.js'
import { newProject } from '../support/projects.js'
import { instance, newId, send } from '../support/submissions.js'

const app = testApp()
let ana: Account
let stranger: Account

/** Numbers that occur nowhere else in an answer. Of everything that there is, one has the first and is hidden, one has the
 * second and is the caller's own: so one number asks for whatever a name could mean. */
const hiddenId = 7_000_002
const ownId = 7_100_002
const missingId = 7_999_999

type Pair = readonly [there: unknown, gone: unknown]

/** Names that take a text: of something that is hidden, and of something that is missing. */
const texts: Record<string, readonly [string, string]> = {
  organization: ['hidden-one', 'missing-one'],
  id: ['form_of_ana', 'form_missing'],
  formID: ['form_of_ana', 'form_missing'],
  dataid: ['hidden', newId()],
  job_uuid: ['hidden', newId()],
  data_value: [`xform ${hiddenId} name`, `xform ${missingId} name`],
  filename: [`ana/attachments/${hiddenId}_form_of_ana/a.jpg`, `ana/attachments/${missingId}_form_of_ana/a.jpg`],
}

const startIds = async (first: number) => {
  const { db } = app.deps
  const sequences = await db.rows<{ name: string }>(sql`
    select sequencename as name from pg_sequences
    where schemaname = current_schema() and sequencename <> 'change_numbers'`)
  for (const { name } of sequences) await db.run(sql`select setval(${name}::text::regclass, ${first - 1})`)
}

const address = (room: string, id: number) => `http://localhost/api/v1/${room}/${id}`

/** One of everything; answers what is not a number. */
const makeAll = async (owner: Account, first: number) => {
  const made = async (path: string, body: object) => {
    const answer = await app.as(owner)('POST', path, { body })
    if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.body}`)
  }
  await startIds(first)
  const project = await newProject(app, owner)
  const settings = { form_id: `form_of_${owner.username}` }
  const survey = sheet('type,name,label\ntext,who,Who\nimage,photo,Photo', { settings })
  const form = await publish(app, owner, survey, { project })
  await app.as(owner)('PATCH', `/forms/${form.formid}`, { body: { require_auth: true } })
  const uuid = newId()
  const xml = instance(form, '<who>x</who><photo>a.jpg</photo>', { id: uuid })
  await send(app, owner, `/${owner.username}`, xml, [{ name: 'a.jpg', content: 'x', type: 'image/jpeg' }])
  await made('/notes', { instance: first, note: 'n' })
  await made('/submissionreview', { instance: first, status: '1' })
  const place = { xform: address('forms', first), project: address('projects', first) }
  await made('/dataviews', { ...place, name: 'View', columns: ['who'] })
  const chart = { column: 'who', widget_type: 'charts', view_type: 'horizontal-bar-chart' }
  await made('/widgets', { ...chart, title: 'Who', content_object: place.xform })
  await made('/restservices', { xform: first, name: 'generic_json', service_url: 'http://127.0.0.1:9/' })
  await made('/orgs', { org: owner === ana ? 'hidden-one' : 'own-one', name: 'Org' })
  await made(`/projects/${project}/invitations`, { email: `x@${owner.username}.org`, role: 'readonly' })
  const job = (await app.as(owner)('GET', `/forms/${form.formid}/export_async?format=csv`)).json().job_uuid
  await runPendingJobs(app.deps.db, app.deps.jobs, app.deps.log)
  return { uuid, job }
}

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  stranger = await app.account({ username: 'stranger' })
  await makeAll(stranger, ownId)
  const { uuid, job } = await makeAll(ana, hiddenId)
  texts.dataid = [uuid, newId()]
  texts.job_uuid = [job, newId()]
}, 120_000)

describe('this test', () => {
  it.each([
    'forms',
    'projects',
    'submissions',
    'attachments',
    'submission_notes',
    'submission_reviews',
    'metadata',
    'dataviews',
    'widgets',
    'rest_services',
    'teams',
    'exports',
    'project_invitations',
    'form_events',
  ])('has two of %s: a hidden one and one of the caller', async (table) => {
    const rows = (id: number) => `select from ${table} where id = ${id}`
    const { isBoth } = await app.deps.db.one<{ isBoth: boolean }>(sql`
      select xpath_exists('/table/row', query_to_xml(${rows(hiddenId)}::text, true, false, ''))
        and xpath_exists('/table/row', query_to_xml(${rows(ownId)}::text, true, false, '')) as "isBoth"`)
    expect(isBoth).toBe(true)
  })
})

interface Ask {
  readonly method: string
  readonly url: string
  readonly body?: object
}

interface Case {
  readonly name: string
  readonly hidden: Ask
  readonly missing: Ask
}

const caseOf = (name: string, [there, gone]: Pair, at: (value: unknown) => Ask): Case => ({
  name: `${name} ${there}`,
  hidden: at(there),
  missing: at(gone),
})

const valuesFor = (name: string): Pair[] => [[hiddenId, missingId], ...(texts[name] === undefined ? [] : [texts[name]])]

const addresses: Pair[] = ['forms', 'projects', 'dataviews'].map((room) => [
  address(room, hiddenId),
  address(room, missingId),
])

/** People and organizations are no secret: anybody sees a profile. */
const isOfAccounts = /^(username|usernames|owner|user|users|org|shared_with|created_by)$/
/** What a form is made of, what narrows by times, counts and places in a list, and what changes who may call. */
const isContent =
  /_file$|_url$|__|^(date_|last_edited)|^(before|text_xls_form|auth_token|password|email|permanent_delete)$/
const isReference = (name: string) => !isOfAccounts.test(name) && !isContent.test(name)

/** The caller's own, where nothing else is asked for. */
const fill = (url: string, except = ''): string =>
  url.replace(/:(\w+)/g, (whole, name) => {
    if (name === except) return whole
    return name === 'username' || name === 'user' ? 'stranger' : name === 'org' ? 'own-one' : String(ownId)
  })

interface Schema {
  properties?: Record<string, Schema>
  anyOf?: Schema[]
  examples?: unknown[]
}

const propertiesOf = (schema: unknown): string[] => {
  const { properties = {}, anyOf = [] } = (schema ?? {}) as Schema
  return [...new Set([...anyOf.flatMap(propertiesOf), ...Object.keys(properties)])]
}

const ownReferences: Record<string, unknown> = {
  xform: String(ownId),
  project: String(ownId),
  content_object: address('forms', ownId),
  instance: ownId,
  organization: 'own-one',
  target_id: ownId,
  target_type: 'xform',
  columns: ['who'],
  column: 'who',
  query: [],
}

/** A body that is right but for what is put in: of the caller's own things. */
const bodyOf = ({ route }: RouteEntry): Record<string, unknown> => {
  const { examples = [], anyOf = [] } = (route.schema?.body ?? {}) as Schema
  const [example] = [...examples, ...anyOf.flatMap((one) => one.examples ?? [])]
  const isObject = typeof example === 'object' && example !== null && !Array.isArray(example)
  const all = propertiesOf(route.schema?.body)
  // Of several that are named the narrowest counts, and the others would not be looked for.
  const isWide = (name: string) => !(name === 'instance' && all.includes('xform'))
  const names = all.filter((name) => Object.hasOwn(ownReferences, name) && isWide(name))
  return { ...(isObject && example), ...Object.fromEntries(names.map((name) => [name, ownReferences[name]])) }
}

const inPath = (entry: RouteEntry): Case[] =>
  [...entry.url.matchAll(/:(\w+)/g)]
    .map(([, name = '']) => name)
    .filter(isReference)
    .flatMap((name) =>
      valuesFor(name).map((pair) =>
        caseOf(`${entry.method} ${entry.url} :${name}`, pair, (value) => ({
          method: entry.method,
          url: fill(entry.url, name).replace(`:${name}`, encodeURIComponent(String(value))),
          ...(entry.route.schema?.body !== undefined && { body: bodyOf(entry) }),
        })),
      ),
    )

const inQuery = (entry: RouteEntry): Case[] =>
  (entry.method === 'DELETE' ? [] : propertiesOf(entry.route.schema?.querystring)).filter(isReference).flatMap((name) =>
    valuesFor(name).map((pair) =>
      caseOf(`${entry.method} ${entry.url} ?${name}=`, pair, (value) => ({
        method: entry.method,
        url: `${fill(entry.url)}?${name}=${encodeURIComponent(String(value))}`,
      })),
    ),
  )

const inBody = (entry: RouteEntry): Case[] =>
  (entry.method === 'DELETE' ? [] : propertiesOf(entry.route.schema?.body)).filter(isReference).flatMap((name) =>
    [...valuesFor(name), ...addresses].map((pair) =>
      caseOf(`${entry.method} ${entry.url} ${name}:`, pair, (value) => ({
        method: entry.method,
        url: fill(entry.url),
        body: { ...bodyOf(entry), [name]: value },
      })),
    ),
  )

/** Without what is different because it was asked for. */
const plain = (body: string): string =>
  Object.values(texts)
    .flat()
    .reduce((text, one) => text.replaceAll(one, '#').replaceAll(encodeURIComponent(one), '#'), body)
    .replace(/7[019]\d{5}/g, '#')

const ask = async ({ method, url, body }: Ask, by: Account | null) => {
  const headers = { ...(by !== null && { authorization: `Token ${by.apiToken}` }) }
  const answer = await app.page(method as 'GET', url, { headers, ...(body && { body }) })
  // What was written or begun without a fault did not look for anything.
  const isWritten = answer.statusCode === 202 || (method !== 'GET' && answer.statusCode < 300)
  return `${answer.statusCode} ${isWritten ? '' : plain(answer.body)}`
}

const differing = async (cases: readonly Case[], by: Account | null): Promise<string[]> => {
  const found: string[] = []
  for (const one of cases) {
    const both = async () => [await ask(one.hidden, by), await ask(one.missing, by)] as const
    const first = await both()
    // What the first has made is in the way of the second; then both of them find it.
    const isMade = one.hidden.method === 'POST' && first[0].startsWith('201')
    const [there, gone] = isMade && first[0] !== first[1] ? await both() : first
    if (there !== gone) found.push(`${one.name}: ${there.slice(0, 200)} / ${gone.slice(0, 200)}`)
  }
  return found
}

/** Names of accounts are taken in public, and what signs people in has tests of its own. */
const isLeftOut = /^\/(o|oidc|accounts|\.well-known)\/|^\/api\/v1\/(orgs|user\/.*|profiles|profiles?\/.*password)$/

const isAsked = ({ method, url, route }: RouteEntry): boolean =>
  (method !== 'HEAD' || url.endsWith('/submission')) &&
  method !== 'OPTIONS' &&
  !route.schema?.hide &&
  !isLeftOut.test(url)

describe.each([
  ['signed in', () => stranger],
  ['anonymous', () => null],
])('a stranger who is %s', { timeout: 600_000 }, (_title, by: () => Account | null) => {
  it.each([
    ['address', inPath],
    ['parameters', inQuery],
    ['body', inBody],
  ] as const)('hears the same of what is hidden and of what is missing, named in the %s', async (_where, casesOf) => {
    const cases = app.http.routes.entries.filter(isAsked).flatMap(casesOf)
    expect(await differing(cases, by())).toEqual([])
  })

  it('hears the same who submits to a form that is hidden and to one that is missing, wherever they send it', async () => {
    const submit = async (at: string, id: string) => {
      const answer = await send(app, by(), at, instance({ id_string: id }, '<who>x</who>'))
      return [answer.statusCode, plain(answer.body)]
    }
    const missing = await submit('/ana', 'form_missing')
    expect(missing[0]).toBe(by() === null ? 401 : 404)
    expect(await submit('/ana', 'form_of_ana')).toEqual(missing)
    for (const [room, there] of [
      ['projects', hiddenId],
      ['forms', hiddenId],
      ['ana', hiddenId],
    ] as const) {
      for (const id of ['form_of_ana', 'form_missing']) {
        const hidden = await submit(`/${room}/${there}`, id)
        expect([room, id, ...hidden]).toEqual([room, id, ...(await submit(`/${room}/${missingId}`, id))])
      }
    }
  })
})
