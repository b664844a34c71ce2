// The secret that seals was changed, or belongs to another server.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { publish } from '../../../test/support/forms.js'
import { sql } from '../../platform/db/index.js'
import { acceptSecret, isSecretOf, openSecrets } from '../../platform/secrets/index.js'
import { findChangedSecret, secretWarning, verify } from './index.js'

const app = testApp()
let ana: Account
let formId: number

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  formId = (await publish(app, ana)).formid
  const body = { xform: formId, name: 'generic_json', service_url: 'https://example.org/receive' }
  expect((await app.as(ana)('POST', '/restservices', { body })).statusCode).toBe(201)
})

const withOther = () => ({ ...app.deps, secrets: openSecrets('another secret than before') })
const differing = async (deps = app.deps) =>
  (await verify(deps, { readsFiles: false })).differences.map(({ kind, count, examples }) => [kind, count, examples[0]])

describe('the secret', () => {
  it('is known from the first start on; another one is told at start, with what it cannot read', async () => {
    expect(await findChangedSecret(app.deps)).toBeUndefined()
    expect(await findChangedSecret(app.deps)).toBeUndefined()
    const changed = await findChangedSecret(withOther())
    expect(changed).toEqual({ services: 1, lostServices: 1 })
    const words = secretWarning(changed ?? { services: 0, lostServices: 0 })
    for (const part of [
      '1 of 1 rest services',
      'SECRET_KEY',
      'secret.key',
      'sheaf secret accept',
      'ID tokens',
      'Passwords',
    ]) {
      expect(words).toContain(part)
    }
    expect(await isSecretOf(app.deps.db, app.deps.secrets)).toBe(true)
  })

  it('is compared by verify, which names what cannot be read and changes nothing', async () => {
    expect(await differing()).toEqual([])
    const found = [
      ['secret_key', 1, { what: expect.stringContaining('SECRET_KEY') }],
      ['sealed_secret', 1, { form: formId, what: expect.stringMatching(/^rest service \d+$/) }],
    ]
    expect(await differing(withOther())).toEqual(found)
    expect(await differing(withOther())).toEqual(found)
    expect(await differing()).toEqual([])
  })

  it('that is accepted is the database’s own; services of the former one are still named', async () => {
    await acceptSecret(app.deps.db, withOther().secrets)
    expect(await findChangedSecret(withOther())).toBeUndefined()
    expect(await findChangedSecret(app.deps)).toEqual({ services: 1, lostServices: 0 })
    expect(await differing(withOther())).toEqual([['sealed_secret', 1, expect.anything()]])
    await acceptSecret(app.deps.db, app.deps.secrets)
  })

  it('of a database without a mark is told by what was sealed last', async () => {
    const unmark = () => app.deps.db.run(sql`delete from secret_mark`)
    await unmark()
    expect(await findChangedSecret(withOther())).toEqual({ services: 1, lostServices: 1 })
    expect(await isSecretOf(app.deps.db, app.deps.secrets)).toBeUndefined()
    const tokens = await app.deps.db.rows<object>(sql`delete from api_tokens returning 1`)
    expect(tokens.length).toBeGreaterThan(0)
    expect(await findChangedSecret(withOther())).toEqual({ services: 1, lostServices: 1 })
    expect(await findChangedSecret(app.deps)).toBeUndefined()
    expect(await isSecretOf(app.deps.db, app.deps.secrets)).toBe(true)
  })

  it('of several first starts at once is one; the others are told', async () => {
    await app.deps.db.run(sql`delete from secret_mark`)
    await app.deps.db.run(sql`delete from rest_services`)
    const starts = ['one', 'two', 'three'].map((text) => ({ ...app.deps, secrets: openSecrets(`the secret ${text}`) }))
    const told = await Promise.all(starts.map(findChangedSecret))
    expect(told.filter((one) => one === undefined)).toHaveLength(1)
  })
})
