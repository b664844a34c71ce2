// Sign-ins at their edges: how many there are, whose they are, and when they end.
import { beforeAll, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { budgets } from '../../budgets.js'
import { hashPassword, isPassword, maxPasswordLength } from './passwords.js'
import { findSignIn, insertSignIn, listSignIns } from './sign-ins.queries.js'

const app = testApp()
let ana: Account
let bea: Account

beforeAll(async () => {
  ana = await app.account()
  bea = await app.account()
})

const begun = Date.UTC(2030, 1, 1)
const end = new Date(begun + 86_400_000)

const signIn = (userId: number, cookieHash: string, second: number) =>
  insertSignIn(app.deps.db, {
    userId,
    passwordHash: undefined,
    cookieHash,
    createdAt: new Date(begun + second * 1000),
    expiresAt: end,
  })

it('whoever signs in more often than is kept ends their own oldest, and nobody else’s', async () => {
  const { db } = app.deps
  await signIn(bea.id, 'bea', 0)
  for (let turn = 1; turn <= budgets.accounts.sessions + 2; turn++) await signIn(ana.id, `ana ${turn}`, turn)
  const now = new Date(begun + 3_600_000)
  const isThere = async (cookie: string) => (await findSignIn(db, cookie, now)) !== undefined
  const asked = ['bea', 'ana 1', 'ana 2', 'ana 3', `ana ${budgets.accounts.sessions + 2}`]
  expect(await Promise.all(asked.map(isThere))).toEqual([true, false, false, true, true])
})

it('a sign-in ends in the moment that it says', async () => {
  const { db } = app.deps
  await signIn(bea.id, 'bea again', 1)
  const before = new Date(end.getTime() - 1)
  const listed = async (now: Date) =>
    (await listSignIns(db, { userId: bea.id, cookieHash: 'bea again', now })).some(({ isCurrent }) => isCurrent)
  expect([await listed(before), await listed(end)]).toEqual([true, false])
  // Who does not say that they want to stay does not.
  expect(await findSignIn(db, 'bea again', before)).toMatchObject({ userId: bea.id, stays: false })
  expect(await findSignIn(db, 'bea again', end)).toBeUndefined()
})

it('a password may be as long as it may be', async () => {
  const longest = 'é'.repeat(maxPasswordLength)
  const hash = await hashPassword(app.deps.passwordCost, longest)
  expect([await isPassword(hash, longest), await isPassword(hash, `${longest}é`)]).toEqual([true, false])
})
