// A draft is published, saved or thrown away while phones and other people add to it: whatever was acknowledged is where it
// belongs, and no file of the form is given up.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { addToDraft, type DraftBody, newDraft, sendForm } from '../../../test/support/drafts.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { sendBy } from '../../../test/support/keys.js'
import { newProject } from '../../../test/support/projects.js'
import { instance, newId } from '../../../test/support/submissions.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
const rounds = 8
let ana: Account
let project: number
let form: PublishedForm
let draft: DraftBody

const survey = (more = '') =>
  sheet(`type,name,label\ntext,name,Name\nimage,photo,Photo${more}`, {
    settings: { form_id: `race${project}`, form_title: 'Race' },
  })
const next = () => survey('\ntext,village,Village')

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

const begin = async () => {
  project = await newProject(app, ana)
  form = await publish(app, ana, survey(), { project })
  draft = await newDraft(app, ana, form.formid, next())
}
beforeEach(begin)

const at = (path = '') => `/forms/${form.formid}/draft${path}`
const publishIt = () => app.as(ana)('POST', at('/publish'))
const throwAway = () => app.as(ana)('DELETE', at())
const send = () => {
  const about = { id_string: form.id_string, version: draft.version }
  const xml = instance(about, '<name>Ana</name><photo>a.png</photo>', { id: newId() })
  return sendBy(app, draft, xml, { files: [{ name: 'a.png', content: Buffer.from('a picture'), type: 'image/png' }] })
}

/** Files of forms that were given up. */
const lost = async (): Promise<string[]> =>
  (
    await app.deps.db.rows<{ key: string }>(sql`
      select file_key as key from pending_files where file_key in (
        select file_key from metadata where deleted_at is null
        union all select source_key from form_versions)`)
  ).map(({ key }) => key)

/** What lies in the store for phones that tried drafts out, and is neither a draft's nor left to the purge. */
const leftOver = async (keys: readonly string[]): Promise<string[]> =>
  (
    await app.deps.db.rows<{ key: string }>(sql`
      select key from unnest(${keys}::text[]) as key
      where key not in (select file_key from draft_files union all select file_key from pending_files)`)
  ).map(({ key }) => key)

const filesOf = async (): Promise<string[]> =>
  (await app.as(ana)('GET', `/metadata?xform=${form.formid}`))
    .json()
    .filter(({ data_type }: { data_type: string }) => data_type === 'media')
    .map(({ data_value }: { data_value: string }) => data_value)

describe('a draft while it is published', () => {
  it('a file that was added at the same moment is the form’s, or was refused; none of the form’s files is given up', async () => {
    for (let round = 0; round < rounds; round++) {
      await begin()
      await addToDraft(app, ana, form.formid, 'people.csv', 'name\nfirst\n')
      const [published, added] = await Promise.all([
        publishIt(),
        addToDraft(app, ana, form.formid, 'people.csv', 'name\nsecond\n'),
        addToDraft(app, ana, form.formid, `more${round}.csv`, 'name\nx\n'),
      ])
      expect(published.statusCode).toBe(200)
      expect([201, 404, 409]).toContain(added.statusCode)
      expect(await lost()).toEqual([])
      expect(await filesOf()).toContain('people.csv')
    }
  })

  it('a file that is taken out at the same moment stays, or goes; none of the form’s files is given up', async () => {
    for (let round = 0; round < rounds; round++) {
      await begin()
      const { id } = (await addToDraft(app, ana, form.formid, 'people.csv', 'name\nfirst\n')).json()
      const [published, removed] = await Promise.all([publishIt(), app.as(ana)('DELETE', at(`/media/${id}`))])
      expect(published.statusCode).toBe(200)
      expect(await lost()).toEqual([])
      expect(await filesOf()).toEqual(removed.statusCode === 204 ? [] : ['people.csv'])
    }
  })
})

describe('a draft while phones send to it', () => {
  it('200 for whoever saves it again, and every record that was acknowledged is there', async () => {
    const sent = Promise.all(Array.from({ length: 12 }, send))
    const saved = await sendForm(app, ana, 'PUT', at(), survey('\ntext,town,Town'))
    expect(saved.statusCode).toBe(200)
    const taken = (await sent).filter(({ statusCode }) => statusCode === 201)
    expect((await app.as(ana)('GET', at('/data'))).json()).toHaveLength(taken.length)
  })

  it.each([
    ['published', publishIt, 200],
    ['thrown away', throwAway, 204],
  ])('%s, it leaves no file of a test record behind', async (_, end, status) => {
    await app.deps.db.run(sql`create table if not exists seen_files as select file_key from draft_files where false`)
    await app.deps.db.run(sql`
      create or replace function see_file() returns trigger language plpgsql as
      'begin insert into seen_files values (new.file_key); return new; end'`)
    await app.deps.db.run(sql`
      create or replace trigger seen after insert on draft_files for each row execute function see_file()`)
    const sent = Promise.all(Array.from({ length: 12 }, send))
    await Promise.race([send(), send()])
    expect((await end()).statusCode).toBe(status)
    await sent
    const seen = await app.deps.db.rows<{ key: string }>(sql`select file_key as key from seen_files`)
    expect(seen.length).toBeGreaterThan(0)
    expect(await leftOver(seen.map(({ key }) => key))).toEqual([])
  })
})

describe('a form that has only a draft', () => {
  const first = async () => {
    const text = sheet('type,name,label\ntext,a,A', { settings: { form_id: `only${project}`, form_title: 'Only' } })
    return (await sendForm(app, ana, 'POST', `/projects/${project}/drafts`, text)).json() as DraftBody
  }

  it('404 for strangers, whatever becomes of its project; it is as public as that when it is published', async () => {
    const { form: id } = await first()
    const eve = await app.account({ username: `eve${project}` })
    await app.as(ana)('PATCH', `/projects/${project}`, { body: { public: true } })
    for (const path of ['form.json', 'form.xml']) {
      expect((await app.as(eve)('GET', `/forms/${id}/${path}`)).statusCode).toBe(404)
      const missing = await app.call('GET', `/forms/${id + 1000}/${path}`)
      expect((await app.call('GET', `/forms/${id}/${path}`)).statusCode).toBe(missing.statusCode)
    }
    await app.as(ana)('POST', `/forms/${id}/draft/publish`)
    expect((await app.call('GET', `/forms/${id}/form.json`)).statusCode).toBe(200)
  })

  it('400 for whoever opens or renames it, each field named', async () => {
    const { form: id } = await first()
    const body = { public: true, public_data: true, title: 'Other' }
    const answer = await app.as(ana)('PATCH', `/forms/${id}`, { body })
    expect([answer.statusCode, Object.keys(answer.json()).toSorted()]).toEqual([
      400,
      ['public', 'public_data', 'title'],
    ])
    expect((await app.as(ana)('PATCH', `/forms/${id}`, { body: { public: false, description: 'd' } })).statusCode).toBe(
      200,
    )
  })

  it('it shows what its draft is now, also when that is saved again; and nobody clones it', async () => {
    const { form: id } = await first()
    const text = sheet('type,name,label\ntext,b,B', { settings: { form_id: `only${project}`, form_title: 'Renamed' } })
    for (let round = 0; round < 2; round++) {
      expect((await sendForm(app, ana, 'PUT', `/forms/${id}/draft`, text)).statusCode).toBe(200)
    }
    const shown = (await app.as(ana)('GET', `/forms/${id}/form.json`)).json()
    const names = shown.children.map(({ name }: { name: string }) => name)
    expect([shown.title, names.includes('a'), names.includes('b')]).toEqual(['Renamed', false, true])
    expect((await app.as(ana)('POST', `/forms/${id}/clone`, { body: { username: 'ana' } })).statusCode).toBe(409)
    const published = await app.as(ana)('POST', `/forms/${id}/draft/publish`)
    expect([published.statusCode, published.json().title]).toEqual([200, 'Renamed'])
    expect((await app.as(ana)('GET', `/forms/${id}/versions`)).json()).toHaveLength(1)
  })
})

it('200 or 409, never a fault, where a form with a draft is moved while the draft is published and saved', async () => {
  for (let round = 0; round < rounds; round++) {
    await begin()
    const other = await newProject(app, ana)
    const answers = await Promise.all([
      publishIt(),
      app.as(ana)('PATCH', `/forms/${form.formid}`, { body: { project: `/api/v1/projects/${other}` } }),
      sendForm(app, ana, 'PUT', at(), survey('\ntext,town,Town')),
    ])
    for (const { statusCode } of answers) expect([200, 404, 409]).toContain(statusCode)
  }
})
