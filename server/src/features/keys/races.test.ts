import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { publish, visitSheet } from '../../../test/support/forms.js'
import { multipart } from '../../../test/support/multipart.js'
import { newProject } from '../../../test/support/projects.js'
import { lockProject } from '../permissions/index.js'

const app = testApp()
let ana: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

const makeLink = (formid: number) => app.as(ana)('POST', `/forms/${formid}/links`, { body: { name: 'Link' } })
const makeKey = (project: number) => app.as(ana)('POST', `/projects/${project}/keys`, { body: { name: 'Key' } })
const moveTo = (project: number, formid: number) =>
  app.as(ana)('POST', `/projects/${project}/forms`, { body: { formid } })
const replace = (formid: number, id: string) => {
  const content = visitSheet({ form_id: id, version: 'next' })
  const { body, headers } = multipart([{ name: 'xls_file', filename: 'x.csv', content }])
  return app.as(ana)('PATCH', `/forms/${formid}`, { body, headers })
}

describe('while a form is moved to another project', () => {
  it('201 for a link and 200 for another version, whoever holds the lock of its project', async () => {
    const project = await newProject(app, ana)
    const { formid } = await publish(app, ana, visitSheet({ form_id: 'held' }), { project })
    const answers = await app.deps.db.transaction(async (tx) => {
      await lockProject(tx, project)
      return [await makeLink(formid), await replace(formid, 'held')]
    })
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 200])
  })

  it('201 for links, keys and moves at once, none in a fault, and the links open the form where it is', async () => {
    for (let round = 0; round < 6; round += 1) {
      const [one, two] = [await newProject(app, ana), await newProject(app, ana)]
      const { formid } = await publish(app, ana, visitSheet({ form_id: `moved${round}` }), { project: one })
      const answers = await Promise.all([
        makeLink(formid),
        moveTo(two, formid),
        makeKey(one),
        makeLink(formid),
        moveTo(one, formid),
        replace(formid, `moved${round}`),
        makeKey(two),
      ])
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201, 201, 200, 201])
      for (const at of [0, 3]) {
        const { pathname } = new URL(answers[at]?.json().address)
        const list = await app.page('GET', `${pathname}/formList`)
        expect([list.statusCode, list.body]).toEqual([200, expect.stringContaining(`<formID>moved${round}</formID>`)])
      }
    }
  })
})
