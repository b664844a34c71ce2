// Everything that can be damaged is damaged, and named.
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { jpeg } from '../../../test/support/attachments.js'
import { putSubmissionRow } from '../../../test/support/submission-rows.js'
import { differing, type LivedForm, livedForm } from '../../../test/support/verification.js'
import { type Sql, sql } from '../../platform/db/index.js'
import { processSettings } from '../../platform/settings.js'
import { refreshBlocks } from '../data/selection/blocks.queries.js'
import { verify } from './index.js'
import { kinds } from './kinds.js'

const app = testApp({ ENABLE_SUBMISSION_PERMANENT_DELETE: 'true', OUTBOUND_ALLOW_PRIVATE: 'true' })
let ana: Account
let lived: LivedForm

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  lived = await livedForm(app, ana, await jpeg(300, 200))
  await app.mails()
  await app.forward()
  await refreshBlocks(app.database.db, lived.form.formid)
})

const damagedIds = 'damaged'

interface Damage {
  kind: string
  harm: (one: LivedForm) => Sql
  undo: (one: LivedForm) => Sql
}

const of = ({ form, record }: LivedForm): Sql => sql`form_id = ${form.formid} and submission_id = ${record}`
const the = ({ form, record }: LivedForm): Sql => sql`form_id = ${form.formid} and id = ${record}`

const damages: Damage[] = [
  {
    kind: 'instance_id',
    harm: (one) => sql`
      update instance_ids set uuid = ${damagedIds} where ${of(one)} and uuid =
        (select uuid from submissions where ${the(one)})`,
    undo: (one) => sql`
      update instance_ids set uuid = (select uuid from submissions where ${the(one)}) where uuid = ${damagedIds}`,
  },
  {
    kind: 'lost_instance_id',
    harm: ({ form }) => sql`insert into instance_ids values (${form.formid}, ${damagedIds}, 900000000)`,
    undo: () => sql`delete from instance_ids where uuid = ${damagedIds}`,
  },
  {
    kind: 'stray_row',
    harm: ({ form }) => sql`
      insert into submission_notes (form_id, id, submission_id, note, created_by, created_at, modified_at)
      values (${form.formid}, 0, 900000000, 'of nobody', 1, now(), now())`,
    undo: () => sql`delete from submission_notes where submission_id = 900000000`,
  },
  {
    kind: 'history',
    harm: (one) => sql`update submission_versions set number = 3 where ${of(one)}`,
    undo: (one) => sql`update submission_versions set number = 1 where ${of(one)}`,
  },
  {
    kind: 'files_of_record',
    harm: (one) => sql`update submissions set media_count = 7 where ${the(one)}`,
    undo: (one) => sql`update submissions set media_count = 1 where ${the(one)}`,
  },
  {
    kind: 'files_of_record',
    harm: (one) => sql`update attachments set mimetype = 'image/other' where ${of(one)} and deleted_at is null`,
    undo: (one) => sql`update attachments set mimetype = 'image/jpeg' where ${of(one)} and deleted_at is null`,
  },
  {
    kind: 'files_of_record',
    harm: (one) => sql`update submissions set attachments = '{}' where ${the(one)}`,
    undo: (one) => sql`
      update submissions set attachments = (
        select jsonb_agg(jsonb_build_object('id', id, 'name', name, 'xform', form_id, 'filename', stored_name,
          'instance', submission_id, 'mimetype', mimetype))
        from attachments where ${of(one)} and deleted_at is null)
      where ${the(one)}`,
  },
  {
    kind: 'notes_of_record',
    harm: (one) => sql`update submission_notes set note = 'damaged' where ${of(one)} and note = 'one'`,
    undo: (one) => sql`update submission_notes set note = 'one' where ${of(one)} and note = 'damaged'`,
  },
  {
    kind: 'review_of_record',
    harm: (one) => sql`update submissions set review_status = '2' where ${the(one)}`,
    undo: (one) => sql`update submissions set review_status = '1' where ${the(one)}`,
  },
  {
    kind: 'counter',
    harm: ({ form }) => sql`
      insert into form_counts (form_id, version, slot, submissions) values (${form.formid}, '1', 999, 1)`,
    undo: () => sql`delete from form_counts where slot = 999`,
  },
  {
    kind: 'counter',
    harm: ({ form }) => sql`
      update form_counts set last_submitted_at = last_submitted_at - interval '1 day' where form_id = ${form.formid}`,
    undo: ({ form }) => sql`
      update form_counts set last_submitted_at = last_submitted_at + interval '1 day' where form_id = ${form.formid}`,
  },
  {
    kind: 'counter',
    harm: ({ form }) => sql`update form_counts set has_places = false where form_id = ${form.formid}`,
    undo: ({ form }) => sql`update form_counts set has_places = true where form_id = ${form.formid}`,
  },
  {
    kind: 'block',
    harm: ({ form }) => sql`update submission_blocks set live = live + 1 where form_id = ${form.formid}`,
    undo: ({ form }) => sql`update submission_blocks set live = live - 1 where form_id = ${form.formid}`,
  },
  {
    kind: 'tally',
    harm: ({ form }) => sql`
      insert into tallies (form_id, tally, about, state, state_at, asked_at, value, g1, g2, count)
      values (${form.formid}, '00000000-0000-0000-0000-000000000000', '{"path": "name"}', 'kept', now(), now(), '{Tom}', '{null}', '{null}', '{1}')`,
    undo: () => sql`delete from tallies where tally = '00000000-0000-0000-0000-000000000000'`,
  },
  {
    kind: 'event',
    harm: ({ form, record }) => sql`
      update form_events set verb = 'damaged'
      where form_id = ${form.formid} and verb = 'submission_created' and ids = array[${record}::bigint]`,
    undo: () => sql`update form_events set verb = 'submission_created' where verb = 'damaged'`,
  },
  {
    kind: 'event',
    harm: ({ form }) => sql`
      insert into form_events (form_id, verb, ids, created_at)
      values (${form.formid}, 'submission_created', '{900000000}', now())`,
    undo: () => sql`delete from form_events where ids = '{900000000}'`,
  },
  {
    kind: 'delivery',
    harm: ({ service, record }) => sql`
      update deliveries set revision = 900000000
      where service_id = ${service} and submission_id = ${record} and revision = 0`,
    undo: () => sql`update deliveries set revision = 0 where revision = 900000000`,
  },
  {
    kind: 'delivery',
    harm: ({ service, form }) => sql`
      insert into deliveries (service_id, form_id, submission_id, cause, due_at, created_at)
      values (${service}, ${form.formid}, 900000000, 'created', now(), now())`,
    undo: () => sql`delete from deliveries where submission_id = 900000000`,
  },
  {
    kind: 'derived',
    harm: (one) => sql`update submissions set answers = answers || '{"name": "Damaged"}' where ${the(one)}`,
    undo: (one) => sql`update submissions set answers = answers || '{"name": "Two"}' where ${the(one)}`,
  },
  {
    kind: 'sequence',
    harm: () => sql`select setval('note_ids', 1)`,
    undo: () => sql`select setval('note_ids', (select max(id) from submission_notes))`,
  },
]

describe('verify', () => {
  it('finds nothing in a form that has been through everything, and says how much it compared', async () => {
    const result = await verify(app.deps, { readsFiles: true })
    expect(result).toMatchObject({ differences: [], forms: 1 })
    expect(result.records).toBeGreaterThan(3)
    expect(result.versions).toBeGreaterThan(2)
    expect(result.files).toBeGreaterThan(5)
  })

  it.each(damages.map((one, place) => [`${one.kind} (${place})`, one] as const))(
    'names damage of the kind %s, changes nothing, and is content when it is mended',
    async (_name, { kind, harm, undo }) => {
      await app.database.db.run(harm(lived))
      const [once, twice] = [await differing(app), await differing(app)]
      await app.database.db.run(undo(lived))
      expect(once).toEqual({ [kind]: 1 })
      expect(twice).toEqual(once)
      expect(await differing(app)).toEqual({})
    },
  )

  it('names records of a form that is not there', async () => {
    await putSubmissionRow(app, 900_000)
    expect(await differing(app)).toMatchObject({ form: 1, instance_id: 1, event: 1, counter: 2 })
    await app.database.db.run(sql`delete from submissions where form_id = 900000`)
  })

  it('says where, how many and what would mend it; of many it shows a few', async () => {
    const { formid } = lived.form
    await app.database.db.run(sql`
      insert into instance_ids select ${formid}, 'lost' || n, 900000000 + n from generate_series(1, 12) n`)
    const { differences } = await verify(app.deps, { readsFiles: false })
    await app.database.db.run(sql`delete from instance_ids where uuid like 'lost%'`)
    expect(differences).toEqual([
      { kind: 'lost_instance_id', ...kinds.lost_instance_id, count: 12, examples: expect.any(Array) },
    ])
    expect(differences[0]?.examples).toHaveLength(5)
    expect(differences[0]?.examples[0]).toEqual({
      form: formid,
      record: 900_000_001,
      what: 'the instance id lost1 leads to no record',
    })
  })
})

describe('verify, files', () => {
  const put = (key: string, text: string) => app.deps.files.put(key, Readable.from([Buffer.from(text)]))
  const pathOf = (key: string) => join(app.deps.config.of(processSettings).dataDir, 'files', key)

  it('names what is missing and what has another size or, when it is asked to read them, other bytes', async () => {
    const { key } = await app.database.db.one<{ key: string }>(sql`
      select file_key as key from attachments where ${of(lived)} and name = 'scrap.txt'`)
    await app.deps.files.delete(key)
    expect(await differing(app)).toEqual({ file_missing: 1 })
    await put(key, 'shorter')
    expect(await differing(app)).toEqual({ file_bytes: 1 })
    await put(key, 'nobody names IT')
    expect([await differing(app), await differing(app, true)]).toEqual([{}, { file_bytes: 1 }])
    await put(key, 'nobody names it')
    expect(await differing(app, true)).toEqual({})
  })

  it('names what nothing names, but not what is on its way or has just arrived', async () => {
    const long = new Date(Date.now() - 60_000)
    await put('attachments/00/stray', 'x')
    await put('attachments/00/awaited', 'x')
    await app.database.db.run(sql`insert into pending_files values ('attachments/00/awaited', now())`)
    expect(await differing(app)).toEqual({})
    for (const name of ['stray', 'awaited']) await utimes(pathOf(`attachments/00/${name}`), long, long)
    expect(await differing(app)).toEqual({ file_unnamed: 1 })
    await app.deps.files.delete('attachments/00/stray')
    // What is on its way need not be there yet.
    await app.deps.files.delete('attachments/00/awaited')
    expect(await differing(app)).toEqual({})
  })
})
