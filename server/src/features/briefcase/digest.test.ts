// Briefcase signs in with Digest where it is not spoken to over https.
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { textsIn } from '../../../test/support/briefcase.js'
import { publish, sheet } from '../../../test/support/forms.js'
import { instance, newId, send } from '../../../test/support/submissions.js'

const app = testApp({ ENABLE_DIGEST: 'true' })
let ana: Account
let password = ''
const id = newId()

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  await app.as(ana)('PATCH', '/profiles/ana', { body: { require_auth: true } })
  const body = { password: ana.password }
  password = (await app.as(ana)('POST', '/user/device_password', { body })).json().device_password
  const survey = sheet('type,name,label\nimage,photo,Photo', { settings: { form_id: 'visit', version: '5' } })
  const form = await publish(app, ana, survey)
  await send(app, ana, '/ana', instance(form, '<photo>a.jpg</photo>', { id }), [{ name: 'a.jpg', content: 'a photo' }])
})

const md5 = (text: string) => createHash('md5').update(text).digest('hex')

/** Asked first without a name, as the client does, then again with the answer to the challenge. */
const pull = async (path: string) => {
  const refusal = await app.page('GET', path)
  expect(refusal.statusCode).toBe(401)
  const challenges = [refusal.headers['www-authenticate'] ?? []].flat()
  const nonce = /nonce="([^"]+)"/.exec(challenges.find((one) => one.startsWith('Digest')) ?? '')?.[1]
  const response = md5(`${md5(`ana:sheaf:${password}`)}:${nonce}:00000001:c0ffee:auth:${md5(`GET:${path}`)}`)
  const authorization = `Digest username="ana", realm="sheaf", nonce="${nonce}", uri="${path}", qop=auth, nc=00000001, cnonce="c0ffee", response="${response}", algorithm=MD5`
  return app.page('GET', path, { headers: { authorization, 'x-openrosa-version': '1.0' } })
}

describe('the requests of Briefcase, with Digest', () => {
  it('200 for the list of forms, the form, the ids, the record with the fault in its version, and its file', async () => {
    const list = await pull('/ana/formList')
    const address = new URL(textsIn(list.body, 'downloadUrl')[0] ?? '')
    expect((await pull(address.pathname)).body).toContain('id="visit"')
    const ids = await pull('/ana/view/submissionList?formId=visit&cursor=&numEntries=100&includeIncomplete=false')
    expect(textsIn(ids.body, 'id')).toEqual([`uuid:${id}`])
    const key = `visit%5B%40version%3DOptional%5B5%5D+and+%40uiVersion%3Dnull%5D%2Fdata%5B%40key%3Duuid%3A${id}%5D`
    const record = await pull(`/ana/view/downloadSubmission?formId=${key}`)
    expect([record.statusCode, textsIn(record.body, 'filename')]).toEqual([200, ['a.jpg']])
    const file = new URL(textsIn(record.body, 'downloadUrl')[0] ?? '')
    expect((await pull(file.pathname)).body).toBe('a photo')
  })
})
