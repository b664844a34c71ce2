// What a phone without an account does with a key, and the edge cases of keys.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { deadText, fetchBy, type KeyBody, messageIn, newKey, sendBy } from '../../../test/support/keys.js'
import { multipart } from '../../../test/support/multipart.js'
import { newProject, share } from '../../../test/support/projects.js'
import { instance, newId } from '../../../test/support/submissions.js'
import { setActive } from '../credentials/index.js'

const app = testApp()
const behind = testApp({ BASE_URL: 'https://data.example.org' })
let ana: Account
let ben: Account
let project: number
let form: PublishedForm

const survey = () => sheet('type,name,label\ntext,name,Name\nimage,photo,Photo')

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
  await app.as(ana)('PATCH', '/profiles/ana', { body: { require_auth: true } })
  project = await newProject(app, ana)
  form = await publish(app, ana, survey(), { project })
})

const patch = (key: KeyBody, body: object) => app.as(ana)('PATCH', `/keys/${key.id}`, { body })
const revoke = (key: KeyBody) => app.as(ana)('POST', `/keys/${key.id}/revoke`)
const listed = (xml: string): string[] => [...xml.matchAll(/<formID>([^<]*)<\/formID>/g)].map(([, id = '']) => id)
const xmlOf = (of: PublishedForm = form, name = 'Amina') => instance(of, `<name>${name}</name>`)
const records = async (of: PublishedForm = form) => (await app.as(ana)('GET', `/data/${of.formid}`)).json()

/** Everything a phone asks for, by statuses. */
const statuses = async (key: Pick<KeyBody, 'token'>, of: PublishedForm = form) => [
  (await fetchBy(app, key, '/formList')).statusCode,
  (await fetchBy(app, key, `/forms/${of.formid}/form.xml`)).statusCode,
  (await fetchBy(app, key, `/xformsManifest/${of.formid}`)).statusCode,
  (await app.page('HEAD', `/key/${key.token}/submission`)).statusCode,
  (await sendBy(app, key, xmlOf(of))).statusCode,
]
const good = [200, 200, 200, 204, 201]
const dead = [403, 403, 403, 403, 403]

describe('a good key', () => {
  it('200 for the list, whose addresses all stay below it, though the account asks everybody to sign in', async () => {
    const key = await newKey(app, ana, project)
    const answer = await fetchBy(app, key, '/formList')
    expect([answer.statusCode, answer.headers['content-type'], answer.headers['x-openrosa-version']]).toEqual([
      200,
      'text/xml; charset=utf-8',
      '1.0',
    ])
    expect(listed(answer.body)).toEqual([form.id_string])
    expect(answer.body).toContain(`<downloadUrl>${key.address}/forms/${form.formid}/form.xml</downloadUrl>`)
    for (const [url] of answer.body.matchAll(/http:\/\/localhost[^<]*/g)) expect(url).toContain(`/key/${key.token}/`)
  })

  it('200 for the form, its manifest and its files, each of them below the key', async () => {
    const place = await newProject(app, ana)
    const one = await publish(app, ana, survey(), { project: place })
    const media = multipart([
      { name: 'xform', content: String(one.formid) },
      { name: 'data_type', content: 'media' },
      { name: 'data_value', content: 'people.csv' },
      { name: 'data_file', filename: 'people.csv', type: 'text/csv', content: 'name\namina\n' },
    ])
    await app.as(ana)('POST', '/metadata', media)
    const key = await newKey(app, ana, place)
    const list = (await fetchBy(app, key, '/formList')).body
    const manifestUrl = /<manifestUrl>([^<]*)/.exec(list)?.[1] ?? ''
    const manifest = await app.page('GET', new URL(manifestUrl).pathname)
    const fileUrl = /<downloadUrl>([^<]*)/.exec(manifest.body)?.[1] ?? ''
    expect(fileUrl).toContain(`${key.address}/xformsMedia/${one.formid}/`)
    expect((await app.page('GET', new URL(fileUrl).pathname)).body).toBe('name\namina\n')
    expect((await fetchBy(app, key, `/forms/${one.formid}/form.xml`)).body).toContain(one.id_string)
  })

  it('201 with the words that Collect shows in its own language, and the record is nobody’s', async () => {
    const key = await newKey(app, ana, project, { name: 'Tablet North' })
    const answer = await sendBy(app, key, xmlOf())
    expect([answer.statusCode, messageIn(answer.body)]).toEqual([201, 'full submission upload was successful!'])
    const [latest] = (
      await app.as(ana)('GET', `/data/${form.formid}`, { query: { sort: '{"_id":-1}', limit: '1' } })
    ).json()
    expect(latest).toMatchObject({ _submitted_by: null, name: 'Amina' })
  })

  it('an Authorization header counts for nothing, good or bad', async () => {
    const key = await newKey(app, ana, project)
    for (const authorization of [`Token ${ana.apiToken}`, 'Token wrong', 'Basic !!!', 'Digest username="ana"']) {
      const answer = await app.page('GET', `/key/${key.token}/formList`, { headers: { authorization } })
      expect(answer.statusCode).toBe(200)
    }
    const headers = { authorization: `Token ${ana.apiToken}` }
    expect((await app.page('GET', `/key/${'x'.repeat(32)}/formList`, { headers })).statusCode).toBe(403)
  })

  it('opens nothing else: not the API, not another project, not as a parameter', async () => {
    const key = await newKey(app, ana, project)
    for (const scheme of ['Token', 'Bearer', 'TempToken', 'Key']) {
      const answer = await app.call('GET', '/user', { headers: { authorization: `${scheme} ${key.token}` } })
      expect(answer.statusCode).toBe(401)
    }
    expect((await app.page('GET', `/ana/formList?key=${key.token}`)).statusCode).toBe(401)
  })
})

describe('edge cases of keys', () => {
  it('1: 403 for a key of a project that is deleted', async () => {
    const place = await newProject(app, ana)
    const one = await publish(app, ana, survey(), { project: place })
    const key = await newKey(app, ana, place)
    expect(await statuses(key, one)).toEqual(good)
    await app.as(ana)('DELETE', `/projects/${place}`)
    expect(await statuses(key, one)).toEqual(dead)
  })

  it('2: a form that was taken out leaves the list, and a record of it is taken; of one that was never there, 403', async () => {
    const place = await newProject(app, ana)
    const [one, two, never] = [
      await publish(app, ana, survey(), { project: place }),
      await publish(app, ana, survey(), { project: place }),
      await publish(app, ana, survey(), { project: place }),
    ]
    const key = await newKey(app, ana, place, { forms: [one.formid, two.formid] })
    await patch(key, { forms: [two.formid] })
    expect(listed((await fetchBy(app, key, '/formList')).body)).toEqual([two.id_string])
    expect((await fetchBy(app, key, `/forms/${one.formid}/form.xml`)).statusCode).toBe(403)
    expect((await sendBy(app, key, xmlOf(one))).statusCode).toBe(201)
    expect((await sendBy(app, key, xmlOf(never))).statusCode).toBe(403)
    const all = await newKey(app, ana, place)
    await patch(all, { forms: [two.formid] })
    expect((await sendBy(app, all, xmlOf(one))).statusCode).toBe(201)
  })

  it('3: two keys on one phone are two servers to it, each with its own forms', async () => {
    const place = await newProject(app, ana)
    const one = await publish(app, ana, survey(), { project: place })
    const [here, there] = [await newKey(app, ana, project), await newKey(app, ana, place)]
    expect(listed((await fetchBy(app, here, '/formList', 'collect:same')).body)).toContain(form.id_string)
    expect(listed((await fetchBy(app, there, '/formList', 'collect:same')).body)).toEqual([one.id_string])
  })

  it('4: 403 for a key that acts for an account that is closed, or may not submit any more', async () => {
    const place = await newProject(app, ana)
    const one = await publish(app, ana, survey(), { project: place })
    const cat = await app.account()
    await share(app, ana, place, cat.username, 'dataentry')
    const key = await newKey(app, ana, place, { acts_as: cat.username })
    expect(await statuses(key, one)).toEqual(good)
    expect((await records(one))[0]).toMatchObject({ _submitted_by: cat.username })
    await share(app, ana, place, cat.username, 'readonly')
    expect(await statuses(key, one)).toEqual([403, 403, 403, 204, 403])
    await share(app, ana, place, cat.username, 'dataentry')
    expect(await statuses(key, one)).toEqual(good)
    await app.deps.db.transaction((tx) => setActive(tx, cat.id, false))
    expect(await statuses(key, one)).toEqual(dead)
  })

  it('5: publishing warns of a form that says itself to be sent here, without a key', async () => {
    const to = (url: string) => sheet('type,name,label\ntext,name,Name', { settings: { submission_url: url } })
    const warnings = async (url: string) => (await publish(app, ana, to(url), { project })).warnings as string[]
    const at = 'http://localhost:80/ana/submission'
    expect(await warnings(at)).toEqual([expect.stringContaining(`sent to ${at}.`)])
    const key = await newKey(app, ana, project)
    for (const url of [`${key.address}/submission`, 'https://elsewhere.example/submission']) {
      expect(await warnings(url)).toEqual([])
    }
  })

  it('6: behind a proxy that changes the host, addresses are those of BASE_URL', async () => {
    const owner = await behind.account()
    const key = await newKey(behind, owner, await newProject(behind, owner))
    const probe = await behind.page('HEAD', `/key/${key.token}/submission`, { headers: { host: 'inner:8080' } })
    expect(probe.headers.location).toBe(`https://data.example.org/key/${key.token}/submission`)
    expect(key.address).toBe(`https://data.example.org/key/${key.token}`)
  })

  it('13: a key and a project with other letters and emoji work as any other', async () => {
    const key = await newKey(app, ana, await newProject(app, ana, { name: 'عيادات 🏥' }), { name: 'جهاز 📱' })
    expect([key.name, (await fetchBy(app, key, '/formList')).statusCode]).toEqual(['جهاز 📱', 200])
  })

  it('7: a slash at the end of the server’s address is no other address', async () => {
    const key = await newKey(app, ana, project)
    expect((await app.page('GET', `/key/${key.token}/formList/`)).statusCode).toBe(200)
  })

  it('8: a token in other capitals is another token: 403', async () => {
    const key = await newKey(app, ana, project)
    const swapped = [...key.token].map((sign) =>
      sign === sign.toLowerCase() ? sign.toUpperCase() : sign.toLowerCase(),
    )
    expect((await fetchBy(app, { token: swapped.join('') }, '/formList')).statusCode).toBe(403)
  })

  it('9: HEAD is 204 for a good key, also where there is no form', async () => {
    const key = await newKey(app, ana, await newProject(app, ana))
    const answer = await app.page('HEAD', `/key/${key.token}/submission?deviceID=collect%3Aab`)
    expect([answer.statusCode, answer.headers.location, answer.headers['x-openrosa-accept-content-length']]).toEqual([
      204,
      `${key.address}/submission?deviceID=collect%3Aab`,
      '10000000',
    ])
    const list = await fetchBy(app, key, '/formList')
    expect([list.statusCode, listed(list.body)]).toEqual([200, []])
  })

  it('10: 403 for a form of the same project that the key does not list, 404 for one of another project, both as XML', async () => {
    const place = await newProject(app, ana)
    const [mine, near] = [
      await publish(app, ana, survey(), { project: place }),
      await publish(app, ana, survey(), { project: place }),
    ]
    const key = await newKey(app, ana, place, { forms: [mine.formid] })
    const [forbidden, strange] = [await sendBy(app, key, xmlOf(near)), await sendBy(app, key, xmlOf(form))]
    expect([forbidden.statusCode, messageIn(forbidden.body)]).toEqual([
      403,
      'This phone is not allowed to fill in this form. Show this to your supervisor.',
    ])
    expect([strange.statusCode, messageIn(strange.body)]).toEqual([404, 'Form does not exist on this account'])
    for (const { headers } of [forbidden, strange]) expect(headers['content-type']).toBe('text/xml; charset=utf-8')
  })

  it('11: addresses without a key stay as they are', async () => {
    const other = await app.account()
    await publish(app, other)
    expect((await app.page('GET', `/${other.username}/formList`)).statusCode).toBe(200)
    expect((await app.page('GET', '/ana/formList')).statusCode).toBe(401)
  })

  it('15: revoking twice is 204, and everything is 403 from the first on, in one text', async () => {
    const key = await newKey(app, ana, project)
    expect(await statuses(key)).toEqual(good)
    for (const _ of [1, 2]) expect((await revoke(key)).statusCode).toBe(204)
    expect(await statuses(key)).toEqual(dead)
  })
})

describe('403 in one text', () => {
  it('for what is unknown, malformed, revoked, renewed, deleted or over', async () => {
    const [revoked, renewed, deleted, over] = [
      await newKey(app, ana, project),
      await newKey(app, ana, project),
      await newKey(app, ana, project),
      await newKey(app, ana, project, { expires_at: new Date(Date.now() + 3_600_000).toISOString() }),
    ]
    await revoke(revoked)
    const fresh = (await app.as(ana)('POST', `/keys/${renewed.id}/renew`)).json()
    await app.as(ana)('DELETE', `/keys/${deleted.id}`)
    expect(await statuses(over)).toEqual(good)
    app.wait(3601)
    const malformed = ['short', 'a%2Fb', '12', '%', '%zz', '%ff', '%00', `${fresh.token}%`]
    const tokens = ['x'.repeat(32), ...malformed, revoked.token, renewed.token, deleted.token, over.token]
    for (const token of tokens) {
      const answer = await app.page('GET', `/key/${token}/formList`)
      const { 'content-type': type, 'x-openrosa-version': version, 'www-authenticate': asked } = answer.headers
      expect([token, answer.statusCode, messageIn(answer.body), type, version, asked]).toEqual([
        token,
        403,
        deadText,
        'text/xml; charset=utf-8',
        '1.0',
        undefined,
      ])
    }
    expect(await statuses(fresh)).toEqual(good)
  })

  it('never an empty list: not where the only chosen form has moved away, nor where the holder lost all forms', async () => {
    const [place, other] = [await newProject(app, ana), await newProject(app, ana)]
    const one = await publish(app, ana, survey(), { project: place })
    const key = await newKey(app, ana, place, { forms: [one.formid] })
    expect(await statuses(key, one)).toEqual(good)
    await app.as(ana)('PATCH', `/forms/${one.formid}`, { body: { project: other } })
    const moved = (await app.as(ana)('GET', `/forms/${one.formid}`)).json()
    if (!String(moved.project).endsWith(`/${other}`)) {
      const put = await app.as(ana)('POST', `/projects/${other}/forms`, { body: { formid: one.formid } })
      expect(put.statusCode).toBeLessThan(300)
    }
    expect(await statuses(key, one)).toEqual(dead)
  })
})

describe('whose right a key hands on', () => {
  it('ends with its holder’s: 403 at once, and back with it; a form that they do not manage is not opened', async () => {
    const place = await newProject(app, ana)
    const [one, secret] = [
      await publish(app, ana, survey(), { project: place }),
      await publish(app, ana, survey(), { project: place }),
    ]
    await share(app, ana, place, 'ben', 'manager')
    const key = await newKey(app, ben, place)
    await app.as(ana)('POST', `/forms/${secret.formid}/share`, { body: { username: 'ben', role: 'dataentry' } })
    expect(listed((await fetchBy(app, key, '/formList')).body)).toEqual([one.id_string])
    expect((await fetchBy(app, key, `/forms/${secret.formid}/form.xml`)).statusCode).toBe(403)
    expect((await sendBy(app, key, xmlOf(secret))).statusCode).toBe(403)
    await share(app, ana, place, 'ben', 'editor')
    expect(await statuses(key, one)).toEqual(dead)
    await share(app, ana, place, 'ben', 'manager')
    expect(await statuses(key, one)).toEqual(good)
  })
})

it('a token is in no line of the log, however its address is mistyped', async () => {
  const key = await newKey(app, ana, project)
  const paths = ['/formList', '/formlist', '', '/', '/submissions', '/forms/1', '/%', '/xformsMedia/1/2/3/4']
  for (const path of paths) await app.page('GET', `/key/${key.token}${path}`)
  for (const begin of ['/KEY', '/%6bey', '//key', '/api/v1/key', '/key/'])
    await app.page('GET', `${begin}/${key.token}/formList`)
  for (const begin of ['/key%2F', '/key;a=b/', '/key%5C', '/key%3B', '/k%65y/', '/%/%6bey/'])
    await app.page('GET', `${begin}${key.token}/formList`)
  await sendBy(app, key, xmlOf())
  await sendBy(app, key, 'no xml')
  expect(app.logged.filter((line) => line.includes(key.token))).toEqual([])
  expect(app.logged.some((line) => line.includes('/key/***/formList'))).toBe(true)
})

it('429 for an address that guesses, which locks nobody out: neither good keys nor former ones', async () => {
  const [key, former] = [await newKey(app, ana, project), await newKey(app, ana, project)]
  await revoke(former)
  const from = '203.0.113.9'
  const ask = async (token: string) => (await app.page('GET', `/key/${token}/formList`, { from })).statusCode
  for (let n = 0; n < 40; n++) expect(await ask(former.token)).toBe(403)
  let last = 403
  for (let n = 0; n < 200 && last === 403; n++) last = await ask(`${newId().replaceAll('-', '')}`)
  expect(last).toBe(429)
  expect([await ask(key.token), await ask(former.token)]).toEqual([200, 403])
})
