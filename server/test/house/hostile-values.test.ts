// Whatever is put in place of whatever a route takes, the answer is the caller's fault or fine: never a fault of ours.
import { beforeAll, describe, expect, it } from 'vitest'
import type { RouteEntry } from '../../src/platform/http/index.js'
import { testApp } from '../support/app.js'
import { type OneOfEach, oneOfEach } from '../support/one-of-each.js'

const app = testApp({ ENABLE_EMAIL_VERIFICATION: 'true', CREDENTIAL_REQUESTS_PER_ADDRESS: '1000000' })
let world: OneOfEach
let routes: RouteEntry[]

/** One is large, the other replaces the token that this test calls with. */
const takesNothing = ['root.openapi', 'account.regenerate_token']

beforeAll(async () => {
  world = await oneOfEach(app)
  const isOurs = ({ method, operation }: RouteEntry) =>
    /^(GET|POST|PUT|PATCH|DELETE)$/.test(method) && operation !== 'method.refuse'
  // What deletes comes last, so that there is something to look at before.
  routes = app.http.routes.entries
    .filter((entry) => isOurs(entry) && !takesNothing.includes(entry.operation))
    .sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'))
})

const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'valueOf']

/** As they stand in an address. */
const inAddress = [
  '%00',
  'a%00b',
  '%ff',
  '%ED%A0%80',
  '%',
  '%2e%2e',
  ...names,
  '99999999999999999999',
  '-0',
  '1e309',
  'x'.repeat(450),
]

const inBody: unknown[] = [
  '\0',
  'a\0b',
  '\ud800',
  ...names,
  1e21,
  -0,
  1e20,
  'x'.repeat(100_000),
  '',
  null,
  true,
  [],
  ['__proto__', '\0'],
  {},
  { constructor: { toString: '\0' } },
  { toString: 'no function', valueOf: 1, toJSON: 1, length: 1e9 },
  [{ toString: 'no function' }],
  { $or: [{ __: 1 }] },
  '{"__proto__": 1}',
  '[["x"]]',
]

const everything = process.env.FUZZ === 'all'
let turn = 0
/** Each value meets each kind of parameter sooner or later; all of them meet all with FUZZ=all. */
const some = <T>(values: readonly T[]): T[] => (everything ? [...values] : [values[turn++ % values.length] as T])

const failures: string[] = []
let sent = 0

const call = async (entry: RouteEntry, url: string, body?: object) => {
  const { owner } = world
  sent += 1
  const response = await app.page(entry.method as 'GET', url, {
    headers: { authorization: `Token ${owner.apiToken}` },
    ...(body !== undefined && { body }),
    // From everywhere, so that no limit answers first.
    from: `10.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`,
  })
  if (response.statusCode < 500) return
  const what = body === undefined ? '' : JSON.stringify(body).slice(0, 300)
  failures.push(`${entry.method} ${url.slice(0, 200)} ${what} ${response.statusCode}`)
}

interface Fields {
  properties?: Record<string, { examples?: unknown[] }>
  anyOf?: Fields[]
  examples?: Record<string, unknown>[]
}

const namesIn = (schema: Fields | undefined): string[] => [
  ...new Set([
    ...Object.keys(schema?.properties ?? {}),
    ...(schema?.anyOf ?? []).flatMap(namesIn),
    ...Object.keys(schema?.examples?.[0] ?? {}),
  ]),
]

/** A body that would do, as far as names tell. */
const likely = (schema: Fields | undefined): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries({ ...schema?.examples?.[0] }).map(([name, value]) => [name, world.fields[name] ?? value]),
  )

describe('never a fault of ours, for every route', { timeout: 120_000 }, () => {
  it('with hostile words in the path', async () => {
    failures.length = 0
    for (const entry of routes) {
      for (const name of world.parametersOf(entry)) {
        for (const value of ['%00', ...some(inAddress)]) await call(entry, world.addressOf(entry, { [name]: value }))
      }
    }
    expect(failures).toEqual([])
  })

  it('with hostile words in the query, known or not', async () => {
    failures.length = 0
    // Not by deleting what the next test needs.
    for (const entry of routes.filter(({ method }) => method !== 'DELETE')) {
      const known = namesIn(entry.route.schema?.querystring as Fields)
      for (const name of [...known, 'format', 'q']) {
        for (const value of some(inAddress)) await call(entry, `${world.addressOf(entry)}?${name}=${value}`)
      }
      for (const word of some(names)) await call(entry, `${world.addressOf(entry)}?${word}=${word}`)
    }
    expect(failures).toEqual([])
  })

  /** Bodies that are wrong as a whole, and a likely one with a wrong value in one of its fields. */
  const bodiesFor = (schema: Fields | undefined): object[] => {
    const body = likely(schema)
    const whole = some(inBody).filter((value): value is object => typeof value === 'object' && value !== null)
    return [
      ...whole,
      ...namesIn(schema).flatMap((name) => ['\0', ...some(inBody)].map((value) => ({ ...body, [name]: value }))),
    ]
  }

  it('with hostile values in the body', async () => {
    failures.length = 0
    for (const entry of routes.filter(({ method }) => method !== 'GET')) {
      const bodies = bodiesFor(entry.route.schema?.body as Fields | undefined)
      for (const body of bodies) await call(entry, world.addressOf(entry), body)
    }
    expect(failures).toEqual([])
  })
})
