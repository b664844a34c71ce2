// Forms that are filled in on pages of other origins: the browser asks before it calls.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish } from '../../../test/support/forms.js'

const app = testApp()
let ana: Account
let form: PublishedForm

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  form = await publish(app, ana)
})

const origin = 'https://forms.example.org'
const paths = () => [
  '/submission',
  '/formList',
  '/ana/submission',
  '/ana/formList',
  `/projects/1/submission`,
  `/forms/${form.formid}/formList`,
  `/ana/${form.formid}/submission`,
  '/me/ana/submission',
  `/ana/forms/${form.formid}/form.xml`,
  `/ana/xformsManifest/${form.formid}`,
  `/ana/xformsMedia/${form.formid}/1.csv`,
]

describe('OpenRosa paths, for a page of another origin', () => {
  it('204 for a preflight, without credentials, as the API', async () => {
    const headers = { origin, 'access-control-request-method': 'POST' }
    const api = await app.page('OPTIONS', '/api/v1/submissions', { headers })
    for (const path of paths()) {
      const answer = await app.page('OPTIONS', path, { headers })
      expect([path, answer.statusCode]).toEqual([path, 204])
      for (const name of [
        'access-control-allow-origin',
        'access-control-allow-methods',
        'access-control-allow-headers',
      ])
        expect([path, answer.headers[name]]).toEqual([path, api.headers[name]])
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    }
    expect(api.headers['access-control-allow-headers']).toContain('X-OpenRosa-Version')
  })

  it('answers and refusals may be read there; devices, which have no origin, are spared the words', async () => {
    const list = await app.page('GET', '/ana/formList', { headers: { origin } })
    expect([list.statusCode, list.headers['access-control-allow-origin']]).toEqual([200, '*'])
    expect(list.headers['access-control-expose-headers']).toContain('X-OpenRosa-Version')
    const refused = await app.page('GET', '/formList', { headers: { origin } })
    expect([refused.statusCode, refused.headers['access-control-allow-origin']]).toEqual([401, '*'])
    expect((await app.page('GET', '/ana/formList')).headers['access-control-allow-origin']).toBeUndefined()
  })

  it('OPTIONS that is no preflight says which methods there are', async () => {
    const answer = await app.page('OPTIONS', '/ana/submission')
    expect([answer.statusCode, answer.headers.allow]).toEqual([204, 'HEAD, OPTIONS, POST'])
  })
})
