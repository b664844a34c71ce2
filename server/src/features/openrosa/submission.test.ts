import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, visitSheet } from '../../../test/support/forms.js'
import { multipart } from '../../../test/support/multipart.js'
import { newOrganization, newProject, share } from '../../../test/support/projects.js'
import { instance, newId, send, submissionBody } from '../../../test/support/submissions.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let ben: Account
let form: PublishedForm
let projectId: number

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
  projectId = await newProject(app, ana)
  form = await publish(app, ana, visitSheet({ form_id: 'visit', form_title: 'Visit', version: '1' }), {
    project: projectId,
  })
})

const answers = '<name>Ana</name><age>30</age><sex>f</sex>'
const count = async (formId: number) =>
  (await app.database.db.one<{ n: number }>(sql`select count(*) as n from submissions where form_id = ${formId}`)).n
const message = (body: string) => /<message[^>]*>([^<]*)<\/message>/.exec(body)?.[1]
const setForm = (changes: object) => app.as(ana)('PATCH', `/forms/${form.formid}`, { body: changes })
const setAccount = (changes: object) => app.as(ana)('PATCH', '/profiles/ana', { body: changes })

describe('POST …/submission', () => {
  it('201 with the receipt and headers of the protocol', async () => {
    const id = newId()
    const answer = await send(app, ana, '', instance(form, answers, { id }))
    expect(answer.statusCode).toBe(201)
    expect(answer.headers).toMatchObject({
      'x-openrosa-version': '1.0',
      'x-openrosa-accept-content-length': '10000000',
      'content-type': 'text/xml; charset=utf-8',
      location: 'http://localhost:80/submission',
    })
    expect(answer.headers.date).toBeDefined()
    const time = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}\\+00:00'
    expect(answer.body).toMatch(
      new RegExp(
        `^<OpenRosaResponse xmlns="http://openrosa.org/http/response">\\s+<message>Successful submission.</message>\\s+<submissionMetadata xmlns="http://www.opendatakit.org/xforms" id="visit" version="1" instanceID="uuid:${id}" submissionDate="${time}" isComplete="true" markedAsCompleteDate="${time}"/>\\s+</OpenRosaResponse>$`,
      ),
    )
  })

  it('what was changed before a submission counts for it, however many went the same way before', async () => {
    const carl = await app.account()
    const id = await newProject(app, ana)
    const first = await publish(app, ana, visitSheet({ form_id: 'steady' }), { project: id })
    const second = await publish(app, ana, visitSheet({ form_id: 'steady_too' }), { project: id })
    await app.as(ana)('PATCH', `/forms/${first.formid}`, { body: { require_auth: true } })
    await share(app, ana, id, carl.username, 'dataentry')
    const status = async (to: PublishedForm) => (await send(app, carl, '/ana', instance(to, answers))).statusCode
    const steadily = async (to: PublishedForm) => [await status(to), await status(to), await status(to)]
    expect(await steadily(first)).toEqual([201, 201, 201])
    expect(await steadily(second)).toEqual([201, 201, 201])
    expect(await Promise.all([count(first.formid), count(second.formid)])).toEqual([3, 3])
    expect(await steadily(first)).toEqual([201, 201, 201])
    await share(app, ana, id, carl.username, 'readonly')
    expect(await status(first)).toBe(403)
    await share(app, ana, id, carl.username, 'dataentry')
    expect(await status(first)).toBe(201)
    await app.as(ana)('PATCH', `/forms/${first.formid}`, { body: { downloadable: false } })
    expect(await status(first)).toBe(405)
    await app.as(ana)('DELETE', `/forms/${first.formid}`)
    expect(await status(first)).toBe(404)
    expect(await Promise.all([count(first.formid), count(second.formid)])).toEqual([7, 3])
  })

  it('201 on every path of the protocol, with or without a trailing slash, for a name in any case', async () => {
    for (const at of ['', '/ana', '/ANA', `/projects/${projectId}`, `/forms/${form.formid}`, `/ana/${form.formid}`]) {
      const { body, headers } = submissionBody(instance(form, answers))
      const authorization = `Token ${ana.apiToken}`
      for (const slash of ['', '/']) {
        const fresh = submissionBody(instance(form, answers))
        const answer = await app.page('POST', `${at}/submission${slash}`, {
          body: slash === '' ? body : fresh.body,
          headers: { ...headers, authorization },
        })
        expect([at, slash, answer.statusCode]).toEqual([at, slash, 201])
      }
    }
    const { body, headers } = submissionBody(instance(form, answers))
    expect((await app.as(ana)('POST', '/submissions', { body, headers })).statusCode).toBe(201)
  })

  it('the form is found by form/uuid, and by its id in any case', async () => {
    const byUuid = instance({ id_string: 'whatever', uuid: form.uuid }, answers)
    expect((await send(app, ana, '', byUuid)).statusCode).toBe(201)
    expect((await send(app, ana, '/ana', instance({ id_string: 'VISIT' }, answers))).statusCode).toBe(201)
  })

  it('202 for what the form has already, with the same headers', async () => {
    const xml = instance(form, answers)
    await send(app, ana, '', xml)
    const before = await count(form.formid)
    const again = await send(app, ana, '/ana', xml)
    expect(again.statusCode).toBe(202)
    expect(again.body).toBe(
      `<?xml version='1.0' encoding='UTF-8' ?>\n<OpenRosaResponse xmlns="http://openrosa.org/http/response"><message nature="">Duplicate submission</message></OpenRosaResponse>`,
    )
    expect(again.headers.location).toBe('http://localhost:80/ana/submission')
    expect(await count(form.formid)).toBe(before)
  })

  it.each([
    ['no XML part', multipart([{ name: 'a.jpg', filename: 'a.jpg', content: 'x' }]), 'No XML submission file.'],
    ['an empty XML part', submissionBody(''), 'No XML submission file.'],
    [
      'two XML parts',
      multipart(['a', 'b'].map((content) => ({ name: 'xml_submission_file', filename: 'x.xml', content }))),
      'There are 2 parts xml_submission_file. Send one submission at a time.',
    ],
    ['blanks', submissionBody('  \n '), 'Received empty submission. No instance was created'],
    [
      'a root without children',
      submissionBody('<data id="visit"/>'),
      'Received empty submission. No instance was created',
    ],
    [
      'what a browser makes of answers that it cannot read',
      submissionBody(
        '<data id="visit"><parsererror xmlns="http://www.w3.org/1999/xhtml"><h3>error on line 1</h3></parsererror><name/></data>',
      ),
      'The browser could not read its own answers, and sent a page that says so. Download the answers, and fill in the form again.',
    ],
    ['broken XML', submissionBody('<data id="visit"><name>'), 'Improperly formatted XML.'],
    [
      'a document type',
      submissionBody('<!DOCTYPE data><data id="visit"><name>a</name></data>'),
      'Improperly formatted XML.',
    ],
    [
      'an entity bomb',
      submissionBody('<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><d id="visit"><name>&b;</name></d>'),
      'Improperly formatted XML.',
    ],
    [
      'absurd depth',
      submissionBody(`<d id="visit">${'<a>'.repeat(50_000)}${'</a>'.repeat(50_000)}</d>`),
      'Improperly formatted XML.',
    ],
    ['no id', submissionBody('<data><name>a</name></data>'), 'Username or ID required.'],
    [
      'a version that is too long',
      submissionBody(`<data id="visit" version="${'9'.repeat(250)}"><name>a</name></data>`),
      'Improperly formatted XML.',
    ],
    [
      'bytes that are not UTF-8',
      submissionBody(Buffer.from([0x3c, 0x61, 0xff, 0x3e])),
      'File likely corrupted during transmission, please try later.',
    ],
    [
      'a file name that is too long',
      submissionBody(`<data id="visit"><name>a</name></data>`, [{ name: `${'a'.repeat(101)}.jpg`, content: 'x' }]),
      'Attachment file name exceeds 100 chars',
    ],
    [
      'a body that is cut short',
      {
        ...submissionBody('<data id="visit"><name>a</name></data>'),
        body: submissionBody('<data id="visit"><name>a</name></data>').body.subarray(0, -20),
      },
      'Unable to read submitted file, please try re-submitting.',
    ],
  ])('400 in XML for %s, and nothing is stored', async (_what, { body, headers }, text) => {
    const before = await count(form.formid)
    const answer = await app.page('POST', '/ana/submission', {
      body,
      headers: { ...headers, authorization: `Token ${ana.apiToken}` },
    })
    expect([answer.statusCode, message(answer.body)]).toEqual([400, text])
    expect(answer.headers['content-type']).toBe('text/xml; charset=utf-8')
    expect(await count(form.formid)).toBe(before)
  })

  it('404 for an unknown form, account, project; 400 for ids that are none; the form must be in the project that is named', async () => {
    const unknown = instance({ id_string: 'nothing' }, answers)
    const refused = await send(app, ana, '/ana', unknown)
    expect([refused.statusCode, message(refused.body)]).toEqual([404, 'Form does not exist on this account'])
    expect((await send(app, ana, '/nobody', instance(form, answers))).statusCode).toBe(404)
    expect((await send(app, ana, '/projects/2147483647', instance(form, answers))).statusCode).toBe(404)
    expect((await send(app, ana, '/forms/2147483647', instance(form, answers))).statusCode).toBe(404)
    expect(message((await send(app, ana, '/projects/x', instance(form, answers))).body)).toBe('Invalid Project id.')
    expect(message((await send(app, ana, '/forms/x', instance(form, answers))).body)).toBe('Invalid XForm id.')
    const other = await newProject(app, ana)
    expect((await send(app, ana, `/projects/${other}`, instance(form, answers))).statusCode).toBe(404)
    const second = await publish(app, ana, visitSheet({ form_id: 'second' }))
    expect((await send(app, ana, `/forms/${second.formid}`, instance(form, answers))).statusCode).toBe(404)
    expect((await send(app, ana, `/ben/${form.formid}`, instance(form, answers))).statusCode).toBe(404)
  })

  it('400 when two forms that are shared with the caller have the id; their own wins', async () => {
    const carl = await app.account()
    for (const owner of [ana, ben]) {
      const id = await newProject(app, owner)
      await publish(app, owner, visitSheet({ form_id: 'twice' }), { project: id })
      await share(app, owner, id, carl.username, 'dataentry')
    }
    const xml = () => instance({ id_string: 'twice' }, answers)
    const answer = await send(app, carl, '', xml())
    expect([answer.statusCode, message(answer.body)]).toEqual([
      400,
      'Unable to submit because there are multiple forms with this formID.',
    ])
    const own = await publish(app, carl, visitSheet({ form_id: 'twice' }))
    expect((await send(app, carl, '', xml())).statusCode).toBe(201)
    expect(await count(own.formid)).toBe(1)
  })

  it('405 for an inactive form, 404 for a deleted one', async () => {
    const one = await publish(app, ana, visitSheet({ form_id: 'inactive' }))
    await app.as(ana)('PATCH', `/forms/${one.formid}`, { body: { downloadable: false } })
    const inactive = await send(app, ana, '/ana', instance(one, answers))
    expect([inactive.statusCode, message(inactive.body)]).toEqual([405, 'Form is inactive'])
    await app.as(ana)('DELETE', `/forms/${one.formid}`)
    expect((await send(app, ana, '/ana', instance(one, answers))).statusCode).toBe(404)
  })

  it('201 for a body that is larger than announced: one large file comes alone', async () => {
    const { body, headers } = submissionBody(instance(form, answers), [
      { name: 'a.bin', content: Buffer.alloc(10_000_000) },
    ])
    const answer = await app.page('POST', '/ana/submission', {
      body,
      headers: { ...headers, authorization: `Token ${ana.apiToken}` },
    })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([201, 'text/xml; charset=utf-8'])
  })

  it('413 for XML that nobody filled in', async () => {
    const answer = await send(app, ana, '/ana', instance(form, `<name>${'x'.repeat(4_000_001)}</name>`))
    expect([answer.statusCode, message(answer.body)]).toEqual([413, 'The XML is larger than 4000000 bytes.'])
  })

  it('large ones beside small ones are all taken', async () => {
    const large = Array.from({ length: 6 }, () =>
      send(app, ana, '/ana', instance(form, `<name>${'x'.repeat(1_000_000)}</name>`)),
    )
    const small = Array.from({ length: 20 }, () => send(app, ana, '/ana', instance(form, answers)))
    const statuses = (await Promise.all([...large, ...small])).map(({ statusCode }) => statusCode)
    expect(new Set(statuses)).toEqual(new Set([201]))
  })

  it('415 for a body that is not multipart', async () => {
    const answer = await app.page('POST', '/ana/submission', {
      body: '<data/>',
      headers: { 'content-type': 'text/xml' },
    })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([415, 'text/xml; charset=utf-8'])
  })

  it('400 for plain answers to an encrypted form, and for encrypted ones that are not whole; 201 for whole ones', async () => {
    const key =
      'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA0Z3VS5JJcds3xfn/ygWyF8PbnGy0AHB7MbzYLdZ7ZvVy7F7V2uW8PjWkD4b2E6sN0K0N3oQ1B5pWZ0P1xkqZrQmQG0r7c6f0K9sXo1b3h1k0GJc0c3l5W0kq3bE1b0v8k2uL9o3F5mE0K7dPq6WQ3xk1m8i9n2R1a5t4Y6u7j8k9l0z1x2c3v4b5n6m7Q8w9e0r1t2y3u4i5o6p7a8s9d0f1g2h3j4k5l6zAgMBAAE='
    const one = await publish(app, ana, visitSheet({ form_id: 'secret', version: '1', public_key: key }))
    const plain = await send(app, ana, '/ana', instance(one, answers))
    expect([plain.statusCode, message(plain.body)]).toEqual([
      400,
      'Unencrypted submissions are not allowed for encrypted forms.',
    ])
    const encrypted = (inner: string) =>
      `<data xmlns="http://opendatakit.org/submissions" encrypted="yes" id="secret" version="1">${inner}<meta xmlns="http://openrosa.org/xforms"><instanceID>uuid:${newId()}</instanceID></meta></data>`
    const broken = await send(app, ana, '/ana', encrypted('<media/>'))
    expect([broken.statusCode, message(broken.body)]).toEqual([400, 'Encrypted submission incorrectly formatted.'])
    const whole = '<base64EncryptedKey>abc=</base64EncryptedKey><encryptedXmlFile>submission.xml.enc</encryptedXmlFile>'
    const taken = await send(app, ana, '/ana', encrypted(whole), [{ name: 'submission.xml.enc', content: 'x' }])
    expect(taken.statusCode).toBe(201)
    expect(taken.body).toContain('encrypted="yes"')
    const [row] = await app.database.db.rows(sql`
      select media_total, media_count from submissions where form_id = ${one.formid}`)
    expect(row).toEqual({ media_total: 1, media_count: 1 })
  })
})

describe('who may submit', () => {
  it('everybody, signed in or not, where neither the account nor the form asks for it; the submitter is kept', async () => {
    expect((await send(app, null, '/ana', instance(form, answers))).statusCode).toBe(201)
    expect((await send(app, ben, '/ana', instance(form, answers))).statusCode).toBe(201)
    const [anonymous, byBen] = await app.database.db.rows<{ submitted_by: number | null }>(sql`
      select submitted_by from submissions where form_id = ${form.formid} order by id desc limit 2`)
    expect([byBen?.submitted_by, anonymous?.submitted_by]).toEqual([null, ben.id])
  })

  it('401 without credentials on /submission, and with wrong ones everywhere; Basic is offered', async () => {
    const { body, headers } = submissionBody(instance(form, answers))
    const anonymous = await send(app, null, '', instance(form, answers))
    expect(anonymous.statusCode).toBe(401)
    expect(anonymous.headers['www-authenticate']).toMatch(/^Basic /)
    expect(anonymous.headers['content-type']).toBe('text/xml; charset=utf-8')
    const authorization = `Basic ${Buffer.from('ana:wrong').toString('base64')}`
    const wrong = await app.page('POST', '/ana/submission', { body, headers: { ...headers, authorization } })
    expect(wrong.statusCode).toBe(401)
    const api = await app.call('POST', '/submissions', { body, headers })
    expect([api.statusCode, api.headers['content-type']]).toEqual([401, 'text/xml; charset=utf-8'])
  })

  it('with require_auth of the form or the account: 401 for anonymous, 404 for strangers, 403 for readers, 201 for those who may submit', async () => {
    const mia = await app.account()
    await share(app, ana, projectId, mia.username, 'dataentry-only')
    const reader = await app.account()
    await share(app, ana, projectId, reader.username, 'readonly')
    for (const [on, off] of [
      [() => setForm({ require_auth: true }), () => setForm({ require_auth: false })],
      [() => setAccount({ require_auth: true }), () => setAccount({ require_auth: false })],
    ] as const) {
      await on()
      expect((await send(app, null, '/ana', instance(form, answers))).statusCode).toBe(401)
      const stranger = await send(app, ben, '/ana', instance(form, answers))
      expect([stranger.statusCode, message(stranger.body)]).toEqual([404, 'Form does not exist on this account'])
      const refused = await send(app, reader, '/ana', instance(form, answers))
      expect([refused.statusCode, message(refused.body)]).toEqual([
        403,
        `${reader.username} is not allowed to make submissions to ana's Visit form.`,
      ])
      expect((await send(app, mia, '/ana', instance(form, answers))).statusCode).toBe(201)
      expect((await send(app, ana, '', instance(form, answers))).statusCode).toBe(201)
      await off()
    }
  })

  it('members of an organization submit to its forms by /submission', async () => {
    const org = await newOrganization(app, ana)
    await app.as(ana)('POST', `/orgs/${org}/members`, { body: { username: 'ben', role: 'dataentry' } })
    const id = await newProject(app, ana, { owner: org })
    const one = await publish(app, ana, visitSheet({ form_id: 'org_form' }), { project: id })
    await share(app, ana, id, 'ben', 'dataentry')
    expect((await send(app, ben, '', instance(one, answers))).statusCode).toBe(201)
  })
})

describe('a file without a name', () => {
  it.each([
    ['small', 100],
    ['large', 400_000],
  ])('%s: is passed over, and the submission is taken', async (_size, bytes) => {
    const id = newId()
    const nameless = { name: '///', content: Buffer.alloc(bytes), type: 'image/png' }
    expect((await send(app, ana, '', instance(form, answers, { id }), [nameless])).statusCode).toBe(201)
    const kept = await app.database.db.rows(sql`
      select from attachments join instance_ids ids on ids.form_id = attachments.form_id
        and ids.submission_id = attachments.submission_id and ids.uuid = ${id}`)
    expect(kept).toEqual([])
  })
})

describe('HEAD …/submission', () => {
  const head = (at: string, headers: Record<string, string> = {}) => app.page('HEAD', `${at}/submission`, { headers })

  it('204 with the address and the limit; 401 where credentials are needed; 404 for nobody', async () => {
    const answer = await head('/ana')
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    expect(answer.headers).toMatchObject({
      location: 'http://localhost:80/ana/submission',
      'x-openrosa-version': '1.0',
      'x-openrosa-accept-content-length': '10000000',
    })
    const anonymous = await head('')
    expect([anonymous.statusCode, anonymous.headers['www-authenticate']]).toEqual([401, 'Basic realm="api"'])
    const authorization = `Token ${ana.apiToken}`
    expect((await head('', { authorization })).statusCode).toBe(204)
    expect((await app.as(ana)('HEAD', '/submissions')).statusCode).toBe(204)
    expect((await head('/nobody')).statusCode).toBe(404)
    await setAccount({ require_auth: true })
    expect((await head('/ana')).statusCode).toBe(401)
    await setAccount({ require_auth: false })
  })
})
