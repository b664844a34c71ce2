import { createHash, randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, visitSheet } from '../../../test/support/forms.js'
import { newClient, newTokens, withBearer } from '../../../test/support/oauth.js'
import { instance, newId, submissionBody } from '../../../test/support/submissions.js'
import { sql } from '../../platform/db/index.js'
import { renewDevicePassword } from './device-passwords.js'
import { readDigest } from './digest-header.js'
import { digestChallenge } from './digest-nonces.js'

const app = testApp({ ENABLE_DIGEST: 'true' })
const off = testApp()
const safe = testApp({ ENABLE_DIGEST: 'true', BASE_URL: 'https://sheaf.example' })
let ana: Account
let form: PublishedForm
let password = ''

const newDevicePassword = (of: Account) =>
  app.as(of)('POST', '/user/device_password', { body: { password: of.password } })

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  await app.as(ana)('PATCH', '/profiles/ana', { body: { require_auth: true } })
  form = await publish(app, ana, visitSheet({ form_id: 'visit' }))
  const bea = await safe.account({ username: 'bea' })
  await safe.as(bea)('PATCH', '/profiles/bea', { body: { require_auth: true } })
  password = (await newDevicePassword(ana)).json().device_password
})

const md5 = (text: string) => createHash('md5').update(text).digest('hex')

interface Asked {
  readonly username?: string
  readonly password?: string
  readonly uri?: string
  readonly count?: number
  readonly nonce?: string
}

const challengesOf = (headers: Record<string, unknown>): string[] =>
  [headers['www-authenticate'] ?? []].flat() as string[]

const askNonce = async (path: string): Promise<string> => {
  const answer = await app.page('GET', path)
  expect(answer.statusCode).toBe(401)
  return /nonce="([^"]+)"/.exec(challengesOf(answer.headers)[1] ?? '')?.[1] ?? ''
}

/** As a device answers a challenge. */
const answerTo = (method: string, path: string, asked: Asked & { readonly nonce: string }): string => {
  const { username = 'ana', uri = path, count = 1, nonce } = asked
  const cnonce = randomBytes(8).toString('hex')
  const nc = count.toString(16).padStart(8, '0')
  const secret = md5(`${username}:sheaf:${asked.password ?? password}`)
  const response = md5(`${secret}:${nonce}:${nc}:${cnonce}:auth:${md5(`${method}:${uri}`)}`)
  return `Digest username="${username}", realm="sheaf", nonce="${nonce}", uri="${uri}", qop=auth, nc=${nc}, cnonce="${cnonce}", response="${response}", algorithm=MD5`
}

const get = async (path: string, asked: Asked = {}, from?: string) => {
  const nonce = asked.nonce ?? (await askNonce(path))
  const authorization = answerTo('GET', path, { ...asked, nonce })
  return app.page('GET', path, { headers: { authorization }, ...(from && { from }) })
}

describe('what devices are offered', () => {
  it('401 with Basic and Digest, each in a header of its own, on OpenRosa addresses', async () => {
    const answer = await app.page('GET', '/ana/formList')
    expect(challengesOf(answer.headers)).toEqual([
      'Basic realm="api"',
      expect.stringMatching(/^Digest realm="sheaf", qop="auth", algorithm=MD5, nonce="[0-9a-z.]+"$/),
    ])
  })

  it('401 with Basic alone on the API, where a digest is no credential', async () => {
    const nonce = await askNonce('/ana/formList')
    const answer = await app.call('GET', '/user', {
      headers: { authorization: answerTo('GET', '/api/v1/user', { nonce }) },
    })
    expect([answer.statusCode, challengesOf(answer.headers)]).toEqual([401, ['Basic realm="api"']])
  })

  it('401 with Basic alone over https, where the account’s password can be sent', async () => {
    const answer = await safe.page('GET', '/bea/formList')
    expect([answer.statusCode, challengesOf(answer.headers)]).toEqual([401, ['Basic realm="api"']])
  })

  it('401 for a digest over https, however right it is', async () => {
    const cleo = await safe.account({ username: 'cleo' })
    await safe.as(cleo)('PATCH', '/profiles/cleo', { body: { require_auth: true } })
    const secret = await renewDevicePassword(safe.deps.db, safe.deps, cleo.id)
    const nonce = /nonce="([^"]+)"/.exec(digestChallenge(safe.deps, false))?.[1] ?? ''
    const authorization = answerTo('GET', '/cleo/formList', { username: 'cleo', password: secret, nonce })
    const answer = await safe.page('GET', '/cleo/formList', { headers: { authorization } })
    expect([answer.statusCode, challengesOf(answer.headers)]).toEqual([401, ['Basic realm="api"']])
  })

  it('401 with Basic alone, and 403 for device passwords, where ENABLE_DIGEST is off', async () => {
    const ben = await off.account({ username: 'ben' })
    const answer = await off.page('GET', '/formList')
    expect(challengesOf(answer.headers)).toEqual(['Basic realm="api"'])
    expect((await off.as(ben)('GET', '/user/device_password')).json()).toEqual({ is_offered: false, created_at: null })
    const made = await off.as(ben)('POST', '/user/device_password', { body: { password: ben.password } })
    expect(made.statusCode).toBe(403)
    const digest = answerTo('GET', '/formList', { nonce: 'any' })
    expect((await off.page('GET', '/formList', { headers: { authorization: digest } })).statusCode).toBe(401)
  })
})

describe('a device that speaks Digest', () => {
  it('lists, downloads, asks and sends with one challenge, and its records are the account’s', async () => {
    const nonce = await askNonce('/ana/formList')
    const list = await get('/ana/formList', { nonce })
    expect([list.statusCode, list.body.includes('<formID>visit</formID>')]).toEqual([200, true])
    const probe = await app.page('HEAD', '/ana/submission?deviceID=collect%3Aa', {
      headers: { authorization: answerTo('HEAD', '/ana/submission?deviceID=collect%3Aa', { nonce, count: 2 }) },
    })
    expect(probe.statusCode).toBe(204)
    const id = newId()
    const { body, headers } = submissionBody(instance(form, '<name>Ana</name>', { id }))
    const sent = await app.http.app.inject({
      method: 'POST',
      url: '/ana/submission',
      headers: { ...headers, authorization: answerTo('POST', '/ana/submission', { nonce, count: 3 }) },
      payload: body,
    })
    expect(sent.statusCode).toBe(201)
    expect((await app.as(ana)('GET', `/data/${form.formid}/${id}`)).json()._submitted_by).toBe('ana')
  })

  it.each(['ANA', 'ana@example.org'])('200 for the name as it is typed: %s', async (username) => {
    expect((await get('/ana/formList', { username })).statusCode).toBe(200)
  })

  it('200 where the device writes the whole address', async () => {
    expect((await get('/ana/formList', { uri: 'http://localhost:80/ana/formList' })).statusCode).toBe(200)
  })

  it('401 for what was heard on the way and is sent again, and the next count still works', async () => {
    const nonce = await askNonce('/ana/formList')
    const authorization = answerTo('GET', '/ana/formList', { nonce, count: 7 })
    const again = () => app.page('GET', '/ana/formList', { headers: { authorization } })
    const answers = await Promise.all([again(), again(), again()])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401, 401])
    const refused = answers.find(({ statusCode }) => statusCode === 401)
    expect(challengesOf(refused?.headers ?? {})[1]).toMatch(/, stale=true$/)
    expect((await get('/ana/formList', { nonce, count: 6 })).statusCode).toBe(401)
    expect((await get('/ana/formList', { nonce, count: 8 })).statusCode).toBe(200)
  })

  it('401 for what was heard on the way and is sent to another address, or with another method', async () => {
    const nonce = await askNonce('/ana/formList')
    const authorization = answerTo('GET', '/ana/formList', { nonce })
    const elsewhere = await app.page('GET', '/me/formList', { headers: { authorization } })
    const otherwise = await app.page('HEAD', '/ana/formList', { headers: { authorization } })
    expect([elsewhere.statusCode, otherwise.statusCode]).toEqual([401, 401])
  })

  it('401 and stale for a challenge that is an hour old or none of this server’s; devices then answer a new one', async () => {
    const nonce = await askNonce('/ana/formList')
    app.wait(3601)
    for (const old of [nonce, 'never.made.here', `${nonce}0`, '']) {
      const answer = await get('/ana/formList', { nonce: old })
      expect([old, answer.statusCode, /stale=true/.test(challengesOf(answer.headers)[1] ?? '')]).toEqual([
        old,
        401,
        true,
      ])
    }
  })

  it('what was used is forgotten once the challenge has ended', async () => {
    const used = async () => (await app.deps.db.one<{ n: number }>(sql`select count(*) as n from digest_uses`)).n
    await get('/ana/formList')
    await app.deps.jobs.run('credentials.purge', {})
    expect(await used()).toBeGreaterThan(0)
    app.wait(3601)
    await app.deps.jobs.run('credentials.purge', {})
    expect(await used()).toBe(0)
  })
})

describe('guessing', () => {
  it('401 for the account’s own password, a wrong one, an unknown name; after ten the address is locked out of Digest alone', async () => {
    const cy = await app.account({ username: 'cyra' })
    const right = (await newDevicePassword(cy)).json().device_password
    const from = '198.51.100.7'
    const attempt = (asked: Asked) => get('/ana/formList', asked, from)
    expect((await attempt({ username: 'cyra', password: right })).statusCode).toBe(200)
    expect((await attempt({ username: 'cyra', password: cy.password })).statusCode).toBe(401)
    expect((await attempt({ username: 'nobody', password: right })).statusCode).toBe(401)
    for (let tries = 0; tries < 9; tries++) await attempt({ username: 'cyra', password: 'wrong' })
    expect((await attempt({ username: 'cyra', password: right })).statusCode).toBe(401)
    expect((await get('/ana/formList', { username: 'cyra', password: right }, '198.51.100.8')).statusCode).toBe(200)
    expect((await app.basic('cyra', cy.password)('GET', '/user')).statusCode).toBe(200)
  })

  it('401 for an account without a device password, with the answer that no password gives', async () => {
    await app.account({ username: 'dina' })
    for (const nothing of ['', 'null', 'undefined']) {
      expect((await get('/ana/formList', { username: 'dina', password: nothing })).statusCode).toBe(401)
    }
  })
})

describe('/user/device_password', () => {
  it('201 with twenty signs that nobody mistakes, shown once; the former one ends', async () => {
    const eva = await app.account({ username: 'evax' })
    expect((await app.as(eva)('GET', '/user/device_password')).json()).toEqual({ is_offered: true, created_at: null })
    const first = (await newDevicePassword(eva)).json()
    expect(first).toEqual({ username: 'evax', device_password: expect.stringMatching(/^[a-hjkmnp-z2-9]{20}$/) })
    const second = (await newDevicePassword(eva)).json().device_password
    const status = async (of: string) => (await get('/ana/formList', { username: 'evax', password: of })).statusCode
    expect([await status(first.device_password), await status(second)]).toEqual([401, 200])
    expect((await app.as(eva)('GET', '/user/device_password')).json()).toEqual({
      is_offered: true,
      created_at: expect.any(String),
    })
    const { sealed } = await app.database.db.one<{ sealed: Buffer }>(
      sql`select sealed from device_passwords where user_id = ${eva.id}`,
    )
    expect(sealed.toString('latin1')).not.toContain(second)
  })

  it('400 without the account’s password; 401 for nobody', async () => {
    const wrong = await app.as(ana)('POST', '/user/device_password', { body: { password: 'wrong' } })
    expect([wrong.statusCode, wrong.json()]).toEqual([400, { password: [expect.stringMatching(/^Invalid password/)] }])
    expect((await app.call('POST', '/user/device_password', { body: { password } })).statusCode).toBe(401)
  })

  it('204 and it ends at once; 404 where there is none; a changed password ends it too; a closed account cannot use it', async () => {
    const fay = await app.account({ username: 'fayy' })
    const status = async (of: string) => (await get('/ana/formList', { username: 'fayy', password: of })).statusCode
    const first = (await newDevicePassword(fay)).json().device_password
    const end = () => app.as(fay)('DELETE', '/user/device_password')
    expect([(await end()).statusCode, await status(first), (await end()).statusCode]).toEqual([204, 401, 404])
    const second = (await newDevicePassword(fay)).json().device_password
    await app.database.db.run(sql`update users set is_active = false where id = ${fay.id}`)
    expect(await status(second)).toBe(401)
    await app.database.db.run(sql`update users set is_active = true where id = ${fay.id}`)
    expect(await status(second)).toBe(200)
    const changed = { current_password: fay.password, new_password: 'quite another one' }
    await app.as(fay)('POST', '/profile/fayy/change_password', { body: changed })
    expect(await status(second)).toBe(401)
  })

  it('403 for an OAuth access token, whatever its scope: it reads, makes and ends none', async () => {
    const { access_token: token } = await newTokens(app, ana, await newClient(app, ana), { scope: 'read write groups' })
    const call = (method: 'GET' | 'POST' | 'DELETE') => withBearer(app, token)(method, '/user/device_password', body)
    const body = { password: ana.password }
    expect([
      (await call('GET')).statusCode,
      (await call('POST')).statusCode,
      (await call('DELETE')).statusCode,
    ]).toEqual([403, 403, 403])
    expect((await get('/ana/formList')).statusCode).toBe(200)
  })

  it('it is no password for anything else', async () => {
    expect((await app.basic('ana', password)('GET', '/user')).statusCode).toBe(401)
    const list = await app.page('GET', '/ana/formList', {
      headers: { authorization: `Basic ${Buffer.from(`ana:${password}`).toString('base64')}` },
    })
    expect(list.statusCode).toBe(401)
  })
})

describe('the header', () => {
  const whole =
    'Digest username="a\\"b", realm="sheaf",nonce="n",uri="/x?a=b,c", qop=auth,nc=0000000A,cnonce="c",response='
  const response = 'A'.repeat(32)

  it('is read with quotes, commas and blanks inside of values', () => {
    expect(readDigest(`${whole}"${response}"`)).toEqual({
      username: 'a"b',
      nonce: 'n',
      uri: '/x?a=b,c',
      cnonce: 'c',
      count: '0000000A',
      response: response.toLowerCase(),
    })
  })

  it('is read with blanks around names and values', () => {
    const spaced = `${whole}"${response}"`.replaceAll('=', ' = ').replace('/x?a = b', '/x?a=b')
    expect(readDigest(spaced)).toEqual(readDigest(`${whole}"${response}"`))
  })

  it('401 as unreadable for a name that nobody can have: too long, or with a zero byte', async () => {
    const nonce = await askNonce('/ana/formList')
    for (const [username, code] of [
      ['n'.repeat(254), 'device password'],
      ['n'.repeat(255), 'Invalid digest header'],
      ['n\0', 'Invalid digest header'],
    ] as const) {
      const answer = await get('/ana/formList', { username, nonce })
      expect([username.length, answer.statusCode, answer.body]).toEqual([
        username.length,
        401,
        expect.stringContaining(code),
      ])
    }
  })

  it.each([
    ['nothing', 'Digest'],
    ['no response', 'Digest username="a"'],
    ['a response that is none', `${whole}"abc"`],
    ['another algorithm', `${whole}"${response}", algorithm=SHA-256`],
    ['a protected body', `${whole}"${response}"`.replace('qop=auth', 'qop=auth-int')],
    ['a count that is none', `${whole}"${response}"`.replace('0000000A', '1')],
    ['an open quote', `${whole}"${response}`],
  ])('401 for %s', async (_what, authorization) => {
    expect(readDigest(authorization)).toBeUndefined()
    expect((await app.page('GET', '/ana/formList', { headers: { authorization } })).statusCode).toBe(401)
  })

  it('401 in time that grows with its length alone', async () => {
    for (const part of ['a="', '\\', 'a=', ' ,', '"']) {
      expect(readDigest(`Digest ${part.repeat(8000)}`)).toBeUndefined()
    }
  })
})
