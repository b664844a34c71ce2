import { expect, it } from 'vitest'
import { testApp } from '../../../../test/support/app.js'
import { publish, sheet } from '../../../../test/support/forms.js'

const app = testApp()

it.each([
  ['to this server', 'http://localhost:80/ana/submission', true],
  ['to this server, with a key', 'http://localhost:80/key/abc/submission', false],
  ['to another one', 'https://elsewhere.example/submission', false],
  ['to no address', 'somewhere', false],
  ['nowhere', '', false],
])('a form that says itself to be sent %s (%s) is warned of: %s', async (_where, url, isWarned) => {
  const ana = await app.account()
  const form = sheet('type,name,label\ntext,name,Name', { settings: { form_id: 'own', submission_url: url } })
  const { warnings = [] } = (await publish(app, ana, form)) as { warnings?: string[] }
  const told = warnings.filter((one) => one.includes('says itself that it is sent'))
  expect(told).toEqual(isWarned ? [expect.stringContaining(`is sent to ${url}.`)] : [])
})
