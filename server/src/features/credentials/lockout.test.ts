import { beforeEach, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { sql } from '../../platform/db/index.js'

const app = testApp({ LOCKOUT_TIME: '1800' })
let account: Account

beforeEach(async () => {
  account = await app.account()
})

const attempt = (name: string, password: string, from = '10.0.0.1') =>
  app.basic(name, password)('GET', '/user', { from })

const fail = async (times: number, name = account.username, from?: string) => {
  const answers = []
  for (let i = 0; i < times; i++) answers.push((await attempt(name, `wrong ${i}`, from)).json().detail)
  return answers
}

const locked = 'Locked out. Too many wrong username/password attempts. Try again in 30 minutes.'

describe('spraying', () => {
  const strict = testApp({ MAX_LOGIN_FAILURES_PER_ADDRESS: '5' })

  it('429 after too many failures from one address over all accounts; what is remembered and other addresses go on', async () => {
    const ana = await strict.account()
    const from = '10.8.0.1'
    const signIn = (address: string) => strict.basic(ana.username, ana.password)('GET', '/user', { from: address })
    expect((await signIn(from)).statusCode).toBe(200)
    for (let i = 0; i < 5; i++) {
      expect((await strict.basic(`nobody${i}`, 'x')('GET', '/user', { from })).statusCode).toBe(401)
    }
    const refused = await strict.basic('nobody', 'x')('GET', '/user', { from })
    expect([refused.statusCode, Number(refused.headers['retry-after']) > 800]).toEqual([429, true])
    expect((await signIn(from)).statusCode).toBe(200)
    expect((await signIn('10.8.0.2')).statusCode).toBe(200)
  })
})

describe('lockout', () => {
  it('401 Locked out from the tenth wrong password on, even with the right one', async () => {
    expect(await fail(10)).toEqual([...Array(9).fill('Invalid username/password.'), locked])
    const right = await attempt(account.username, account.password)
    expect([right.statusCode, right.json()]).toEqual([401, { detail: locked }])
  })

  it('a password remembered from before does not get past the lock', async () => {
    expect((await attempt(account.username, account.password)).statusCode).toBe(200)
    await fail(10)
    expect((await attempt(account.username, account.password)).statusCode).toBe(401)
  })

  it('case variants and the e-mail address share one counter', async () => {
    await fail(4)
    await fail(3, account.username.toUpperCase())
    expect((await fail(3, account.email)).at(-1)).toBe(locked)
  })

  it('another account from that address, the same account from another address, and tokens are not affected', async () => {
    const other = await app.account()
    await fail(10)
    expect((await attempt(other.username, other.password)).statusCode).toBe(200)
    expect((await attempt(account.username, account.password, '10.0.0.2')).statusCode).toBe(200)
    expect((await app.as(account)('GET', '/user', { from: '10.0.0.1' })).statusCode).toBe(200)
  })

  it('names that nobody has are locked like any other, so that the lock tells nothing', async () => {
    expect((await fail(10, `ghost of ${account.username}`)).at(-1)).toBe(locked)
  })

  it('a right password forgets the failures before it', async () => {
    await fail(9)
    expect((await attempt(account.username, account.password)).statusCode).toBe(200)
    expect((await fail(9)).at(-1)).toBe('Invalid username/password.')
  })

  it('failures age out after LOCKOUT_TIME, and so does the lock', async () => {
    await fail(9)
    app.wait(1801)
    expect((await fail(1)).at(-1)).toBe('Invalid username/password.')
    await fail(9)
    app.wait(1200)
    expect((await attempt(account.username, account.password)).json().detail).toContain('Try again in 10 minutes.')
    app.wait(601)
    expect((await attempt(account.username, account.password)).statusCode).toBe(200)
  })

  it('fifty wrong passwords at once get no further than ten', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => attempt(account.username, `guess ${i}`)))
    const wrong = answers.filter((one) => one.json().detail === 'Invalid username/password.')
    expect(wrong).toHaveLength(9)
  })

  it('fifty right passwords at once all get in', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => attempt(account.username, account.password)))
    expect(answers.every((one) => one.statusCode === 200)).toBe(true)
  })

  it('a mail tells the account when the lock begins, and another a minute after it ended', async () => {
    await fail(12)
    const mails = await app.mailsTo(account.email)
    expect(mails.map(({ subject }) => subject)).toEqual(['Your account was locked'])
    const [job] = await app.deps.db.rows<{ seconds: number }>(sql`
      select extract(epoch from run_at - created_at)::int as seconds
      from graphile_worker.jobs where task_identifier = 'mail.send' order by id desc limit 1`)
    expect(job?.seconds).toBeGreaterThanOrEqual(1859)
  })
})
