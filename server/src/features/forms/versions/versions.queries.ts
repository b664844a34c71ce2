import { type Db, sql } from '../../../platform/db/index.js'

export interface NewVersion {
  formId: number
  version: string
  title: string
  xml: string
  hash: string
  /** As JSON text. */
  model: string
  source: { key: string; name: string } | undefined
  createdBy: number
  now: Date
}

/** The next number; the form shows it from now on. Constraint: form_versions__version. */
export const insertVersion = async (db: Db, version: NewVersion): Promise<number> => {
  const { number } = await db.one<{ number: number }>(sql`
    insert into form_versions (form_id, number, version, title, xml, hash, model, source_key, source_name, created_by,
      created_at, modified_at)
    values (${version.formId},
      (select greatest(coalesce(max(number), 0), 0) + 1 from form_versions where form_id = ${version.formId}),
      ${version.version}, ${version.title}, ${version.xml}, ${version.hash}, ${version.model}::json,
      ${version.source?.key ?? null}, ${version.source?.name ?? null}, ${version.createdBy}, ${version.now}, ${version.now})
    returning number`)
  await db.run(sql`
    update forms set version_number = ${number}, title = ${version.title}, published_at = ${version.now},
      modified_at = ${version.now}
    where id = ${version.formId}`)
  return number
}

/** What a form that has never been published shows in place of a version, and in place of the one before. Its text is blank, and
 * its number is none that a record could name: 0, -1, -2 … */
export const putStandIn = async (db: Db, version: Omit<NewVersion, 'version' | 'source'>): Promise<void> => {
  const { number } = await db.one<{ number: number }>(sql`
    with former as (delete from form_versions where form_id = ${version.formId} returning number)
    select coalesce(min(number), 1) - 1 as number from former`)
  await db.run(sql`
    insert into form_versions (form_id, number, version, title, xml, hash, model, created_by, created_at, modified_at)
    values (${version.formId}, ${number}, '', ${version.title}, ${version.xml}, ${version.hash}, ${version.model}::json,
      ${version.createdBy}, ${version.now}, ${version.now})`)
  await db.run(sql`
    update forms set version_number = ${number}, title = ${version.title} where id = ${version.formId}`)
}

/** When its first version is there. */
export const deleteStandIns = (db: Db, formId: number, before: number) =>
  db.run(sql`delete from form_versions where form_id = ${formId} and number < ${before}`)

export interface VersionInfo {
  readonly number: number
  readonly version: string
  readonly createdBy: string | null
  /** Of the file that it was made from. */
  readonly sourceName: string | null
  readonly createdAt: Date
  readonly modifiedAt: Date
}

export const listVersions = (db: Db, formId: number) =>
  db.rows<VersionInfo>(sql`
    select versions.number, versions.version, users.username as "createdBy",
      versions.source_name as "sourceName", versions.created_at as "createdAt",
      versions.modified_at as "modifiedAt"
    from form_versions versions left join users on users.id = versions.created_by
    where versions.form_id = ${formId} order by versions.number`)

export interface VersionKey {
  readonly formId: number
  readonly number: number
}

/** Every version of several forms, the oldest of each first. */
export const listVersionKeys = (db: Db, formIds: readonly number[]) =>
  db.rows<VersionKey>(sql`
    select form_id as "formId", number from form_versions where form_id = any(${formIds}::int[]) order by form_id, number`)

/** Counted as stored, which is about a tenth of the text. */
const shortModelBytes = 200_000

/** Models as JSON text, the short ones alone. */
export const listModelTexts = (db: Db, keys: readonly VersionKey[]) =>
  db.rows<VersionKey & { text: string }>(sql`
    select versions.form_id as "formId", versions.number, versions.model::text as text
    from unnest(${keys.map(({ formId }) => formId)}::int[], ${keys.map(({ number }) => number)}::int[]) as asked (form_id, number)
    join form_versions versions using (form_id, number)
    where pg_column_size(versions.model) <= ${shortModelBytes}`)

/** The model as JSON text: whoever needs it parses it once and remembers it. */
export const findModelText = (db: Db, formId: number, number: number) =>
  db.maybe<{ text: string }>(sql`
    select model::text as text from form_versions where form_id = ${formId} and number = ${number}`)

export const findVersionNumber = async (db: Db, formId: number, version: string): Promise<number | undefined> =>
  (
    await db.maybe<{ number: number }>(sql`
      select number from form_versions where form_id = ${formId} and version = ${version}`)
  )?.number

export const findXml = (db: Db, formId: number, number: number) =>
  db.maybe<{ xml: string; hash: string; title: string }>(sql`
    select xml, hash, title from form_versions where form_id = ${formId} and number = ${number}`)

export const findSource = (db: Db, formId: number, number: number) =>
  db.maybe<{ key: string; name: string }>(sql`
    select source_key as key, source_name as name from form_versions
    where form_id = ${formId} and number = ${number} and source_key is not null`)
