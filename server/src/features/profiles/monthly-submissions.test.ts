import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { publish } from '../../../test/support/forms.js'
import { newOrganization, newProject } from '../../../test/support/projects.js'
import { putSubmissionRow } from '../../../test/support/submission-rows.js'
import { monthOf } from './monthly-submissions.routes.js'

const clock = { now: () => new Date('2026-11-30T23:59:59.999Z') }

describe('the month asked for', () => {
  it.each([
    [{}, { year: 2026, month: 11 }],
    [{ month: '2' }, { year: 2026, month: 2 }],
    [{ year: '2024' }, { year: 2024, month: 11 }],
    [
      { month: '02', year: '2024' },
      { year: 2024, month: 2 },
    ],
  ])('%j is %j; what is not given is current, in UTC', (query, month) => expect(monthOf(query, clock)).toEqual(month))
})

describe('GET /profiles/{username}/monthly_submissions', () => {
  const app = testApp()
  let ana: Account
  let ben: Account

  beforeAll(async () => {
    ana = await app.account({ username: 'ana' })
    ben = await app.account({ username: 'ben' })
  })

  const monthly = async (by: Account, name: string, query = '') =>
    (await app.as(by)('GET', `/profiles/${name}/monthly_submissions${query}`)).json()
  const open = (formid: number, isPublic: boolean) =>
    app.as(ana)('PATCH', `/forms/${formid}`, { body: { public: isPublic } })

  it('200 counts submissions of the month by the form’s switch; without submissions of a kind its key is left out', async () => {
    const [shut, shown] = [await publish(app, ana), await publish(app, ana)]
    await open(shown.formid, true)
    const march = '?month=3&year=2025'
    expect(await monthly(ana, 'ana', march)).toEqual({})
    for (const at of [
      '2025-03-01T00:00:00.000Z',
      '2025-03-31T23:59:59.999Z',
      '2025-02-28T23:59:59.999Z',
      '2025-04-01T00:00:00Z',
    ]) {
      await putSubmissionRow(app, shut.formid, { at: new Date(at) })
    }
    await putSubmissionRow(app, shut.formid, { at: new Date('2025-03-10T00:00:00Z'), isDeleted: true })
    expect(await monthly(ana, 'ana', march)).toEqual({ private: 2 })
    await putSubmissionRow(app, shown.formid, { at: new Date('2025-03-15T12:00:00Z') })
    expect(await monthly(ana, 'ana', march)).toEqual({ private: 2, public: 1 })
    await open(shut.formid, true)
    expect(await monthly(ana, 'ana', march)).toEqual({ public: 3 })
    await app.as(ana)('DELETE', `/forms/${shut.formid}`)
    expect(await monthly(ana, 'ana', march)).toEqual({ public: 1 })
  })

  it('200 without parameters counts the current month, not what others’ forms received', async () => {
    const [own, other] = [await publish(app, ben), await publish(app, ana)]
    await putSubmissionRow(app, own.formid)
    await putSubmissionRow(app, other.formid)
    expect(await monthly(ben, 'ben')).toEqual({ private: 1 })
  })

  it('200 for the owners of an organization, 403 for its other members', async () => {
    const org = await newOrganization(app, ana)
    await app.as(ana)('POST', `/orgs/${org}/members`, { body: { username: 'ben', role: 'manager' } })
    const project = await newProject(app, ana, { owner: org })
    await putSubmissionRow(app, (await publish(app, ana, undefined, { project })).formid)
    expect(await monthly(ana, org)).toEqual({ private: 1 })
    expect((await app.as(ben)('GET', `/profiles/${org}/monthly_submissions`)).statusCode).toBe(403)
  })
})
