// Whether a form takes records of people who did not sign in, said where it is published and shown.
import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { publish, visitSheet } from '../../../test/support/forms.js'
import { instance, send } from '../../../test/support/submissions.js'

const app = testApp()
const closed = testApp({ REQUIRE_AUTH_DEFAULT: 'true' })

describe('anonymous_submissions', () => {
  it('is true of a form that is not public, where neither it nor its account asks for a sign-in; and it is so', async () => {
    const ana = await app.account()
    const form = await publish(app, ana)
    expect(form).toMatchObject({ public: false, require_auth: false, anonymous_submissions: true })
    const shown = () =>
      app
        .as(ana)('GET', `/forms/${form.formid}`)
        .then((answer) => answer.json().anonymous_submissions)
    const sent = () =>
      send(app, null, `/${ana.username}`, instance(form, '<name>x</name>')).then(({ statusCode }) => statusCode)
    expect([await shown(), await sent()]).toEqual([true, 201])
    await app.as(ana)('PATCH', `/forms/${form.formid}`, { body: { require_auth: true } })
    expect([await shown(), await sent()]).toEqual([false, 401])
    await app.as(ana)('PATCH', `/forms/${form.formid}`, { body: { require_auth: false } })
    await app.as(ana)('PATCH', `/profiles/${ana.username}`, { body: { require_auth: true } })
    expect([await shown(), await sent()]).toEqual([false, 401])
    const [listed] = (await app.as(ana)('GET', '/forms')).json()
    expect(listed.anonymous_submissions).toBe(false)
  })

  it('is false of a form that is closed', async () => {
    const ana = await app.account()
    const form = await publish(app, ana)
    await app.as(ana)('PATCH', `/forms/${form.formid}`, { body: { downloadable: false } })
    expect((await app.as(ana)('GET', `/forms/${form.formid}`)).json().anonymous_submissions).toBe(false)
  })
})

describe('REQUIRE_AUTH_DEFAULT', () => {
  it('is what new accounts, organizations and forms have that do not say', async () => {
    const ana = await closed.account()
    expect((await closed.as(ana)('GET', '/user')).json().require_auth).toBe(true)
    const org = await closed.as(ana)('POST', '/orgs', { body: { org: 'team', name: 'Team' } })
    expect([org.statusCode, org.json().require_auth]).toEqual([201, true])
    const form = await publish(closed, ana)
    expect(form).toMatchObject({ require_auth: true, anonymous_submissions: false })
  })

  it('gives way to what is said', async () => {
    const ben = await closed.account({ require_auth: false })
    expect((await closed.as(ben)('GET', '/user')).json().require_auth).toBe(false)
    const form = await publish(closed, ben)
    const open = await closed.as(ben)('PATCH', `/forms/${form.formid}`, { body: { require_auth: false } })
    expect(open.json().anonymous_submissions).toBe(true)
  })
})

describe('publishing the same file twice', () => {
  it('201 says that the id was taken, what was made of it, and how to replace the form instead', async () => {
    const ana = await app.account()
    const sheet = visitSheet({ form_id: 'visit' })
    expect(await publish(app, ana, sheet)).toMatchObject({
      id_string: 'visit',
      has_id_string_changed: false,
      warnings: [],
    })
    const second = await publish(app, ana, sheet)
    expect(second).toMatchObject({ id_string: 'visit_1', has_id_string_changed: true })
    expect(second.warnings).toEqual([
      expect.stringMatching(/has a form with the id "visit" already.*"visit_1".*PATCH \/api\/v1\/forms\/\{formid\}/),
    ])
  })
})
