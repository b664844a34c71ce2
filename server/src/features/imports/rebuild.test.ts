import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish } from '../../../test/support/forms.js'
import { countOf, householdSheet, recordsOf, sendTable } from '../../../test/support/imports.js'
import { multipart } from '../../../test/support/multipart.js'
import { instance, newId, send } from '../../../test/support/submissions.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let ben: Account
beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
})

const rebuild = (form: PublishedForm, query: Record<string, string> = {}, who = ana) =>
  app.as(who)('POST', `/forms/${form.formid}/rebuild`, { query })

const replaced = async (form: PublishedForm, version: string) => {
  const text = householdSheet({ form_id: form.id_string, version })
  const content = text.replace('integer,age,Age', 'text,age,Age').replace(/begin repeat,kids/, 'begin repeat,children')
  const { body, headers } = multipart([{ name: 'xls_file', filename: 'form.csv', type: 'text/csv', content }])
  const answer = await app.as(ana)('PATCH', `/forms/${form.formid}`, { body, headers })
  if (answer.statusCode !== 200) throw new Error(answer.body)
}

/** Answers as devices send them: empty ones, places, files, times, repeats, what no form knows, markup. */
const answers = fc
  .record(
    {
      start: fc.constantFrom('2020-01-01T10:00:00.000+03:00', 'never'),
      end: fc.constantFrom('2020-01-01T10:00:24.000+03:00', '2020-01-01'),
      name: fc.string().map((text) => text.replace(/[^\w .é-]/g, '')),
      age: fc.oneof(fc.integer().map(String), fc.constant('')),
      home: fc.constantFrom(
        '<gps>1.5 2.25 0 0</gps><photo>a.jpg</photo>',
        '<gps>nowhere</gps>',
        '<gps/><photo>b.jpg</photo>',
        '',
      ),
      kids: fc.constantFrom('<kid>A</kid><toys><toy>car</toy></toys><toys><toy>doll</toy></toys>', '<kid/>', ''),
      unknown: fc.constantFrom('1</unknown><unknown>2', '&lt;b&gt;', '<deep><er>x</er></deep>'),
    },
    { requiredKeys: [] },
  )
  .map((parts) =>
    Object.entries(parts)
      .map(([name, content]) => `<${name}>${content}</${name}>`)
      .join(''),
  )

type Step =
  | { kind: 'submit' | 'edit'; answers: string; version: string | undefined }
  | { kind: 'import'; rows: [string, string, boolean][]; overwrite: boolean }
  | { kind: 'replace' }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('submit' as const, 'edit' as const),
    answers,
    version: fc.constantFrom('1', '2', 'unheard of', undefined),
  }),
  fc.record({
    kind: fc.constant('import' as const),
    rows: fc.array(fc.tuple(fc.constantFrom('Tom', '"<&>"'), fc.constantFrom('1 2 3 4', 'n/a', '5 6'), fc.boolean()), {
      minLength: 1,
      maxLength: 5,
    }),
    overwrite: fc.constantFrom(false, false, false, true),
  }),
  fc.constant({ kind: 'replace' as const }),
)

const take = async (form: PublishedForm, one: Step, number: number): Promise<void> => {
  const live = (await recordsOf(app, form.formid)).filter(({ deleted_at }) => deleted_at === null)
  if (one.kind === 'replace') return replaced(form, `later${number}`)
  if (one.kind === 'import') {
    const lines = one.rows.map(([name, gps, isEdit], row) => {
      const uuid = isEdit ? (live[row]?.uuid ?? '') : ''
      // A file that overwrites may name no files: they would be lost. A record that there is has none of this name.
      return `${name},${gps},${one.overwrite || uuid !== '' ? '' : 'c.jpg'},2020-02-03,${uuid}`
    })
    const answer = await sendTable(
      app,
      ana,
      form.formid,
      `name,home/gps,home/photo,born,_uuid\n${lines.join('\n')}\n`,
      {
        query: { overwrite: String(one.overwrite) },
      },
    )
    if (answer.statusCode !== 200) throw new Error(answer.body)
    return
  }
  const { version: _current, ...unversioned } = form
  const target = one.version === undefined ? unversioned : { ...form, version: one.version }
  const deprecated = one.kind === 'edit' ? live[0]?.uuid : undefined
  const xml = instance(target, one.answers, { ...(deprecated !== undefined && { deprecated }) })
  const answer = await send(app, ana, '', xml, [{ name: 'a.jpg', content: 'x', type: 'image/jpeg' }])
  if (answer.statusCode !== 201) throw new Error(answer.body)
}

describe('POST /forms/{pk}/rebuild', () => {
  it('200 without differences after any mix of submissions, edits, imports and replacements', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
        const form = await publish(app, ana, householdSheet({ version: '1' }))
        for (const [number, one] of steps.entries()) await take(form, one, number)
        const records = await recordsOf(app, form.formid)
        const { count: versions } = await app.database.db.one<{ count: number }>(sql`
          select count(*) from submission_versions where form_id = ${form.formid}`)
        const answer = await rebuild(form)
        expect(answer.json()).toEqual({ records: records.length, versions, differences: [], different: 0, repaired: 0 })
        expect(await countOf(app, form.formid)).toBe(records.filter(({ deleted_at }) => deleted_at === null).length)
      }),
      { numRuns: 15 },
    )
  })

  it('200 tells every column that differs, changes nothing, and repairs when it is asked to', async () => {
    const form = await publish(app, ana, householdSheet({ version: '1' }))
    const [first, second] = [newId(), newId()]
    const xml = (id: string, deprecated?: string) =>
      instance(form, '<name>Tom</name><home><gps>1 2 0 0</gps><photo>a.jpg</photo></home>', {
        id,
        ...(deprecated !== undefined && { deprecated }),
      })
    await send(app, ana, '', xml(first), [{ name: 'a.jpg', content: 'x', type: 'image/jpeg' }])
    await send(app, ana, '', xml(second, first))
    const [before] = await recordsOf(app, form.formid)
    const id = before?.id
    await app.database.db.run(sql`
      update submissions set answers = answers - 'name' || '{"more": "x"}', version = '9', root_name = 'other',
        duration = 5, latitude = 7, longitude = null, media_total = 3
      where form_id = ${form.formid}`)
    await app.database.db.run(sql`
      update submission_versions set answers = '{}', version = '8' where form_id = ${form.formid}`)
    const answer = (await rebuild(form)).json()
    expect(answer).toMatchObject({ records: 1, versions: 1, different: 2, repaired: 0 })
    expect(answer.differences.slice(0, 7)).toEqual([
      { id, field: 'answers', stored: { more: 'x' }, derived: { name: 'Tom' } },
      { id, field: 'version', stored: '9', derived: '1' },
      { id, field: 'root_name', stored: 'other', derived: 'data' },
      { id, field: 'duration', stored: 5, derived: null },
      { id, field: 'latitude', stored: 7, derived: 1 },
      { id, field: 'longitude', stored: null, derived: 2 },
      { id, field: 'media_total', stored: 3, derived: 1 },
    ])
    expect(answer.differences.slice(7)).toMatchObject([
      { id, history: 1, field: 'answers', stored: {} },
      { id, history: 1, field: 'version', stored: '8', derived: '1' },
    ])
    expect((await rebuild(form, { repair: 'true' })).json()).toMatchObject({ different: 2, repaired: 2 })
    expect((await rebuild(form)).json()).toMatchObject({ different: 0, differences: [] })
    const [after] = await recordsOf(app, form.formid)
    expect(Number(after?.change_no)).toBeGreaterThan(Number(before?.change_no))
    const untouched = { ...before, change_no: after?.change_no, modified_at: after?.modified_at }
    expect(after).toEqual(untouched)
  })

  it('200 repairs many records with their counts and files; deleted ones are counted nowhere and show nothing', async () => {
    const form = await publish(app, ana, householdSheet({ version: '1' }))
    const ids = [newId(), newId(), newId()]
    const photo = { name: 'a.jpg', content: 'a picture', type: 'image/jpeg' }
    for (const id of ids) {
      const xml = instance(form, '<name>Tom</name><home><gps>1 2 0 0</gps><photo>a.jpg</photo></home>', { id })
      await send(app, ana, '', xml, [photo])
    }
    const [gone] = await recordsOf(app, form.formid)
    await app.as(ana)('DELETE', `/data/${form.formid}/${gone?.id}`)
    const { db } = app.database
    await db.run(sql`
      update submissions set version = '9', media_total = 7, media_count = 0, attachments = '[]'
      where form_id = ${form.formid}`)
    await db.run(sql`update attachments set deleted_at = now() where form_id = ${form.formid}`)
    await db.run(sql`update form_counts set version = '9', has_places = false where form_id = ${form.formid}`)
    expect((await rebuild(form, { repair: 'true' })).json()).toMatchObject({ different: 3, repaired: 3 })
    const hasPlaces = async () => (await app.as(ana)('GET', `/forms/${form.formid}`)).json().instances_with_geopoints
    expect(await hasPlaces()).toBe(true)
    const counts = await db.rows(sql`
      select version, sum(submissions)::int as count from form_counts where form_id = ${form.formid}
      group by version order by version`)
    expect(counts).toEqual([
      { version: '1', count: 2 },
      { version: '9', count: 0 },
    ])
    const shown = (await recordsOf(app, form.formid)).map((one) => [one.media_total, one.media_count, one.attachments])
    const entries = [expect.objectContaining({ name: 'a.jpg' })]
    expect(shown).toEqual([
      [1, 0, []],
      [1, 1, entries],
      [1, 1, entries],
    ])
    const files = await db.rows(sql`
      select submission_id = ${gone?.id} as "isGone", deleted_at is null as "isShown" from attachments
      where form_id = ${form.formid} order by submission_id`)
    expect(files).toEqual([
      { isGone: true, isShown: false },
      { isGone: false, isShown: true },
      { isGone: false, isShown: true },
    ])
    // Also where the version was right, and only the place was missing.
    await db.run(sql`update submissions set latitude = null, longitude = null where form_id = ${form.formid}`)
    await db.run(sql`update form_counts set has_places = false where form_id = ${form.formid}`)
    expect((await rebuild(form, { repair: 'true' })).json()).toMatchObject({ repaired: 3 })
    expect(await hasPlaces()).toBe(true)
  })

  it('401 without credentials, 404 for a hidden form exactly as for a missing one, 403 for managers', async () => {
    const form = await publish(app, ana, householdSheet())
    expect((await app.call('POST', `/forms/${form.formid}/rebuild`)).statusCode).toBe(401)
    const hidden = await rebuild(form, {}, ben)
    const missing = await app.as(ben)('POST', '/forms/2147483647/rebuild')
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
    await app.as(ana)('POST', `/forms/${form.formid}/share`, { body: { username: 'ben', role: 'manager' } })
    expect((await rebuild(form, {}, ben)).statusCode).toBe(403)
    expect((await rebuild(form)).statusCode).toBe(200)
  })
})
