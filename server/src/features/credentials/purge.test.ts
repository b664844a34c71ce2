// What credentials leave behind, and who cannot have any.
import { beforeAll, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { sql } from '../../platform/db/index.js'
import { countAttempt, findAttempts } from './attempts.queries.js'
import { createCredentials, tellOfChange } from './credentials.service.js'
import { deleteExpiredResets, insertReset } from './password-resets.queries.js'
import { findLogin, listFormerHashes, replacePassword } from './passwords.queries.js'
import { insertSignIn } from './sign-ins.queries.js'

const app = testApp()
let ana: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

const left = async () => ({
  attempts: (await app.deps.db.rows<{ account: string }>(sql`select account from attempts order by account`)).map(
    ({ account }) => account,
  ),
  resets: (
    await app.deps.db.rows<{ hash: string }>(sql`select token_hash as hash from password_resets order by token_hash`)
  ).map(({ hash }) => hash),
})

it('the purge removes counters and reset mails whose time is over, and nothing that counts', async () => {
  const { db, clock, jobs } = app.deps
  await db.run(sql`delete from attempts`)
  const later = new Date(clock.now().getTime() + 60_000)
  const past = new Date(clock.now().getTime() - 1)
  for (const [name, expiresAt] of [
    ['over', past],
    ['still', later],
  ] as const) {
    await insertReset(db, { tokenHash: name, userId: ana.id, expiresAt })
    await db.run(sql`
      insert into attempts (kind, account, address, count, expires_at) values ('test', ${name}, '', 1, ${expiresAt})`)
  }
  await jobs.run('credentials.purge', {})
  expect(await left()).toEqual({ attempts: ['still'], resets: ['still'] })
})

it('a counter counts until its time is over, and not in that moment', async () => {
  const { db, clock } = app.deps
  const key = { kind: 'test', account: 'moment', address: '' }
  const { expiresAt } = await countAttempt(db, key, clock.now(), 60)
  const before = new Date(expiresAt.getTime() - 1)
  expect([(await findAttempts(db, key, before))?.count, await findAttempts(db, key, expiresAt)]).toEqual([1, undefined])
  expect(await countAttempt(db, key, expiresAt, 60)).toMatchObject({ count: 1 })
})

it('a reset whose time ends now goes with the purge of this moment', async () => {
  const { db } = app.deps
  const expiresAt = new Date('2020-01-02T03:04:05.678Z')
  await insertReset(db, { tokenHash: 'moment', userId: ana.id, expiresAt })
  expect(await deleteExpiredResets(db, new Date(expiresAt.getTime() - 1))).toBe(0)
  expect(await deleteExpiredResets(db, expiresAt)).toBe(1)
})

it('failures whose time is over are none for whoever signs in', async () => {
  const { db, clock } = app.deps
  const given = { names: ['ana'], address: 'here', now: clock.now() }
  const { expiresAt } = await countAttempt(
    db,
    { kind: 'login', account: `user:${ana.id}`, address: 'here' },
    given.now,
    60,
  )
  expect(await findLogin(db, given)).toMatchObject({ id: ana.id, hasAttempts: true })
  expect(await findLogin(db, { ...given, now: expiresAt })).toMatchObject({ id: ana.id, hasAttempts: false })
})

it('of former passwords the latest are remembered', async () => {
  const { db } = app.deps
  const { id } = await app.account()
  for (let turn = 1; turn <= 9; turn++) await replacePassword(db, id, `hash ${turn}`, new Date(turn))
  expect(await listFormerHashes(db, id)).toEqual(['hash 8', 'hash 7', 'hash 6', 'hash 5', 'hash 4'])
})

it('credentials that cannot be made fail: nobody has an account without them', async () => {
  const { db } = app.deps
  await expect(createCredentials(db, app.deps, 987_654, undefined)).rejects.toThrow(/violates foreign key/)
})

it('who has no address is told nothing, and no mail is counted', async () => {
  const { db } = app.deps
  const counted = () => db.rows(sql`select kind from attempts where kind like 'mail%'`)
  const [before, mails] = [await counted(), (await app.mails()).length]
  await tellOfChange(db, app.deps, { email: null, username: 'ana' })
  expect([await counted(), (await app.mails()).length]).toEqual([before, mails])
})

it('a purge that cannot be done fails, and is tried again', async () => {
  const { db, jobs } = app.deps
  for (const table of [sql`attempts`, sql`password_resets`, sql`digest_uses`]) {
    await db.run(sql`alter table ${table} rename to away`)
    await expect(jobs.run('credentials.purge', {})).rejects.toThrow(/does not exist/)
    await db.run(sql`alter table away rename to ${table}`)
  }
})

it('nobody signs in as an organization, or to an account that is closed', async () => {
  const signIn = (userId: number) =>
    insertSignIn(app.deps.db, {
      userId,
      passwordHash: undefined,
      cookieHash: undefined,
      createdAt: new Date(),
      expiresAt: new Date(Date.now() + 60_000),
    })
  await app.as(ana)('POST', '/orgs', { body: { org: 'guild', name: 'Guild' } })
  const { id } = (await app.as(ana)('GET', '/profiles/guild')).json()
  expect([await signIn(id), typeof (await signIn(ana.id))]).toEqual([undefined, 'number'])
  await app.deps.db.run(sql`update users set is_active = false where id = ${ana.id}`)
  expect(await signIn(ana.id)).toBeUndefined()
})
