// Who may add files to a record that was received before: whoever sent it.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { newProject, share } from '../../../test/support/projects.js'
import { instance, newId, send } from '../../../test/support/submissions.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let ben: Account
let manager: Account
let form: PublishedForm

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
  manager = await app.account({ username: 'manager' })
  const project = await newProject(app, ana)
  form = await publish(app, ana, sheet('type,name,label\nimage,front,Front\nimage,back,Back'), { project })
  await share(app, ana, project, 'ben', 'dataentry')
  await share(app, ana, project, 'manager', 'manager')
})

const xmlOf = (ids: { id: string; deprecated?: string }) =>
  instance(form, '<front>front.png</front><back>back.png</back>', ids)
const post = async (by: Account | null, xml: string, ...names: string[]) =>
  (
    await send(
      app,
      by,
      '/ana',
      xml,
      names.map((name) => ({ name, content: `${name} of ${by?.username ?? 'nobody'}`, type: 'image/png' })),
    )
  ).statusCode

const stateOf = async (id: string) => {
  const { _id, _attachments, _media_count, _date_modified } = (
    await app.as(ana)('GET', `/data/${form.formid}/${id}`)
  ).json()
  const { count } = await app.deps.db.one<{ count: number }>(sql`
    select count(*) from attachments where form_id = ${form.formid} and submission_id = ${_id}`)
  const names = _attachments.map(({ name }: { name: string }) => name).sort()
  return { names, stored: count, shown: _media_count, modified: _date_modified }
}

const pending = async () => (await app.deps.db.one<{ count: number }>(sql`select count(*) from pending_files`)).count

describe('files for a record that the form has already', () => {
  it.each([
    ['who is signed in', () => ben],
    ['who is not signed in', () => null],
  ] as [string, () => Account | null][])('202 and added, post by post, for the sender %s', async (_title, by) => {
    const id = newId()
    expect(await post(by(), xmlOf({ id }))).toBe(201)
    expect(await post(by(), xmlOf({ id }), 'front.png')).toBe(202)
    expect(await post(by(), xmlOf({ id }), 'back.png', 'front.png')).toBe(202)
    expect(await stateOf(id)).toMatchObject({ names: ['back.png', 'front.png'], stored: 2, shown: 2 })
  })

  it.each([
    ['of somebody, from others', () => ben, () => [null, ana, manager]],
    ['of nobody, from those who are signed in', () => null, () => [ben, ana, manager]],
  ] as [string, () => Account | null, () => (Account | null)[]][])(
    '401 or 403, and nothing is added, nor kept, to one that lacks them, %s',
    async (_title, sender, others) => {
      const id = newId()
      expect(await post(sender(), xmlOf({ id }), 'front.png')).toBe(201)
      const before = await stateOf(id)
      for (const other of others()) {
        expect(await post(other, xmlOf({ id }), 'back.png', 'stray.png')).toBe(other === null ? 401 : 403)
        expect(await post(other, xmlOf({ id }), 'front.png', 'stray.png')).toBe(202)
      }
      expect(await stateOf(id)).toEqual(before)
      expect(await pending()).toBe(0)
      // The sender's own are not in the way.
      expect(await post(sender(), xmlOf({ id }), 'back.png')).toBe(202)
      expect(await stateOf(id)).toMatchObject({ names: ['back.png', 'front.png'], shown: 2 })
    },
  )

  it('files of an edit come in several posts from whoever edits; others add nothing by its instance id', async () => {
    const [first, second] = [newId(), newId()]
    await post(ben, xmlOf({ id: first }))
    const edit = xmlOf({ id: second, deprecated: first })
    expect(await post(manager, edit, 'front.png')).toBe(201)
    expect(await post(manager, edit, 'back.png')).toBe(202)
    expect(await stateOf(first)).toMatchObject({ names: ['back.png', 'front.png'] })
    expect(await post(null, xmlOf({ id: second }), 'stray.png')).toBe(202)
    expect(await post(ana, xmlOf({ id: first }), 'stray.png')).toBe(202)
    expect(await stateOf(first)).toMatchObject({ stored: 2 })
  })

  it('202 and nothing is added, nor kept, by an edit that has the instance id of another record', async () => {
    const [one, other] = [newId(), newId()]
    for (const id of [one, other]) await post(ben, xmlOf({ id }))
    expect(await post(manager, xmlOf({ id: other, deprecated: one }), 'front.png')).toBe(202)
    for (const id of [one, other]) expect(await stateOf(id)).toMatchObject({ stored: 0 })
    expect(await pending()).toBe(0)
  })
})
