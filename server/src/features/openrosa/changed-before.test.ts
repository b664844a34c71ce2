// A sender who has sent to one form again and again, over a socket: what was changed before their next submission was here
// counts for it, also when it arrives piece by piece.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, visitSheet } from '../../../test/support/forms.js'
import { listen, post } from '../../../test/support/posting.js'
import { newProject, share } from '../../../test/support/projects.js'
import { instance, submissionBody } from '../../../test/support/submissions.js'

const app = testApp()
let ana: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  await listen(app)
})
afterAll(() => app.http.app.server.closeAllConnections())

/** The status of a submission; `inBetween` happens when its headers have been read, and before its body is sent. */
const submit = async (sender: Account, form: PublishedForm, inBetween?: () => Promise<unknown>): Promise<number> => {
  const { body, headers } = submissionBody(instance(form, '<name>Ana</name><age>30</age><sex>f</sex>'))
  const own = { ...headers, Authorization: `Token ${sender.apiToken}` }
  return (await post(app, { path: '/ana/submission', headers: own, body, ...(inBetween && { inBetween }) })).status
}

const change = (form: PublishedForm, body: object) => app.as(ana)('PATCH', `/forms/${form.formid}`, { body })

describe('counts when it was changed before the submission was here', () => {
  it.each<[string, (form: PublishedForm, projectId: number, sender: Account) => Promise<unknown>, number]>([
    ['a role', (_, projectId, sender) => share(app, ana, projectId, sender.username, 'readonly'), 403],
    ['whether it is active', (form) => change(form, { downloadable: false }), 405],
    ['its being there', (form) => app.as(ana)('DELETE', `/forms/${form.formid}`), 404],
  ])('%s', async (_what, make, refused) => {
    for (const isSlow of [false, true]) {
      const sender = await app.account()
      const projectId = await newProject(app, ana)
      await share(app, ana, projectId, sender.username, 'dataentry')
      const form = await publish(app, ana, visitSheet({ form_id: `steady_${refused}_${isSlow}` }), {
        project: projectId,
      })
      await change(form, { require_auth: true })
      for (let request = 0; request < 4; request++) expect(await submit(sender, form)).toBe(201)
      const made = () => make(form, projectId, sender)
      if (!isSlow) await made()
      expect(await submit(sender, form, isSlow ? made : undefined)).toBe(refused)
    }
  })
})
