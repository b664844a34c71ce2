// Forms and records put straight into their tables: what a list, a query or an export shows must not depend on how the
// records came there.
import { randomUUID } from 'node:crypto'
import { compile, type FormModel } from '@sheaf/xlsform'
import { type Database, sql } from '../../src/platform/db/index.js'

export interface TestForm {
  readonly id: number
  readonly uuid: string
  readonly idString: string
  readonly models: readonly FormModel[]
}

export interface FormFields {
  ownerId: number
  projectId: number
  /** XLSForms in Markdown, the oldest first. */
  versions: readonly string[]
  idString?: string
  title?: string
  isPublic?: boolean
  isDataPublic?: boolean
}

export const putForm = async (db: Database, fields: FormFields): Promise<TestForm> => {
  const uuid = randomUUID().replaceAll('-', '')
  const idString = fields.idString ?? `form_${uuid.slice(0, 8)}`
  const title = fields.title ?? idString
  const { id } = await db.one<{ id: number }>(sql`
    insert into forms (project_id, owner_id, created_by, uuid, id_string, id_key, sms_id_string, title, is_public,
      is_data_public, version_number, created_at, modified_at, published_at)
    values (${fields.projectId}, ${fields.ownerId}, ${fields.ownerId}, ${uuid}, ${idString}, ${idString.toLowerCase()},
      ${idString}, ${title}, ${fields.isPublic ?? false}, ${fields.isDataPublic ?? false}, ${fields.versions.length},
      now(), now(), now())
    returning id`)
  const models: FormModel[] = []
  for (const [index, source] of fields.versions.entries()) {
    const { xform, model } = compile(Buffer.from(source), { fileName: `${idString}.md` })
    await db.run(sql`
      insert into form_versions (form_id, number, version, title, xml, hash, model, created_by, created_at, modified_at)
      values (${id}, ${index + 1}, ${`v${index + 1}`}, ${title}, ${xform}, '', ${JSON.stringify(model)}::json,
        ${fields.ownerId}, now(), now())`)
    models.push(model)
  }
  return { id, uuid, idString, models }
}

export interface RecordFields {
  answers?: object
  uuid?: string
  xml?: string
  version?: string
  by?: number | null
  at?: Date | string
  modifiedAt?: Date | string
  status?: string
  rootName?: string
  editedAt?: Date | string
  editedBy?: number
  duration?: number
  place?: readonly [number, number]
  mediaTotal?: number
  mediaCount?: number
  attachments?: readonly object[]
  notes?: readonly object[]
  tags?: readonly string[]
  review?: { status: string; comment: string; at: Date | string }
}

const nothing = {
  version: 'v1',
  by: null,
  status: 'submitted_via_web',
  rootName: 'data',
  editedAt: null,
  editedBy: null,
  duration: null,
  place: [null, null],
  mediaTotal: 0,
  mediaCount: 0,
  attachments: [],
  notes: [],
  tags: [],
  review: { status: null, comment: null, at: null },
  answers: {},
}

const putRecord = async (db: Database, formId: number, given: RecordFields): Promise<number> => {
  const uuid = given.uuid ?? randomUUID()
  const at = given.at ?? new Date()
  const xml = `<?xml version="1.0"?><data id="x" version="v1"><meta><instanceID>uuid:${uuid}</instanceID></meta></data>`
  const record = { ...nothing, modifiedAt: at, xml, ...given }
  const { id } = await db.one<{ id: number }>(sql`
    with stored as (
      insert into submissions (form_id, id, uuid, xml, answers, version, model_number, root_name, status, submitted_at,
        submitted_by, modified_at, change_no, edited_at, edited_by, duration, latitude, longitude, media_total,
        media_count, attachments, notes, tags, review_status, review_comment, reviewed_at)
      values (${formId}, nextval('submission_ids'), ${uuid}, ${record.xml}, ${JSON.stringify(record.answers)}::jsonb,
        ${record.version}, 1, ${record.rootName}, ${record.status}, ${at}, ${record.by}, ${record.modifiedAt},
        next_change(), ${record.editedAt}, ${record.editedBy}, ${record.duration}, ${record.place[0]},
        ${record.place[1]}, ${record.mediaTotal}, ${record.mediaCount}, ${JSON.stringify(record.attachments)}::jsonb,
        ${JSON.stringify(record.notes)}::jsonb, ${record.tags}::text[], ${record.review.status},
        ${record.review.comment}, ${record.review.at})
      returning id, version
    ),
    claimed as (insert into instance_ids (form_id, uuid, submission_id) select ${formId}, ${uuid}, id from stored),
    counted as (
      insert into form_counts (form_id, version, slot, submissions) select ${formId}, version, 1, 1 from stored
      on conflict (form_id, version, slot) do update set submissions = form_counts.submissions + 1)
    select id from stored`)
  return id
}

/** Ids in the order given. */
export const putRecords = async (db: Database, formId: number, records: readonly RecordFields[]): Promise<number[]> => {
  const ids: number[] = []
  for (const record of records) ids.push(await putRecord(db, formId, record))
  return ids
}
