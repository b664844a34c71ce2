import { type Db, empty, sql } from '../../platform/db/index.js'

export interface BlockSheet {
  readonly name: string
  readonly rows: readonly (readonly string[])[]
}

/** As the list has it: without its sheets. */
export interface BlockEntry {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly questions: number
  readonly revision: number
  readonly createdBy: string | null
  readonly createdAt: Date
  readonly changedBy: string | null
  readonly changedAt: Date
}

export interface Block extends BlockEntry {
  readonly sheets: readonly BlockSheet[]
}

const columns = sql`
  blocks.id, blocks.name, blocks.description, blocks.questions, blocks.revision, blocks.created_at as "createdAt",
  blocks.changed_at as "changedAt",
  (select username from users where users.id = blocks.created_by) as "createdBy",
  (select username from users where users.id = blocks.changed_by) as "changedBy"`

/** By name. */
export const listBlocks = (db: Db, projectId: number) =>
  db.rows<BlockEntry>(sql`
    select ${columns} from library_blocks blocks where blocks.project_id = ${projectId} order by lower(name), id`)

export const findBlock = (db: Db, projectId: number, id: number) =>
  db.maybe<Block>(sql`
    select ${columns}, blocks.sheets from library_blocks blocks
    where blocks.project_id = ${projectId} and blocks.id = ${id}`)

export const countBlocks = async (db: Db, projectId: number): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) from library_blocks where project_id = ${projectId}`)).count

export interface SavedSheets {
  readonly sheets: readonly BlockSheet[]
  readonly questions: number
}

export interface NewBlock extends SavedSheets {
  readonly projectId: number
  readonly name: string
  readonly description: string
  readonly by: number
  readonly now: Date
}

/** Constraint: library_blocks__project_id_name. */
export const insertBlock = async (tx: Db, block: NewBlock): Promise<number> =>
  (
    await tx.one<{ id: number }>(sql`
      insert into library_blocks (project_id, name, description, sheets, questions, created_by, created_at, changed_by,
        changed_at)
      values (${block.projectId}, ${block.name}, ${block.description}, ${JSON.stringify(block.sheets)}::json,
        ${block.questions}, ${block.by}, ${block.now}, ${block.by}, ${block.now})
      returning id`)
  ).id

export interface BlockChanges {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly saved?: SavedSheets | undefined
  readonly by: number
  readonly now: Date
}

/** Only what is given changes. Constraint: library_blocks__project_id_name. */
export const updateBlock = (tx: Db, id: number, { name, description, saved, by, now }: BlockChanges) =>
  tx.run(sql`
    update library_blocks set revision = default, changed_by = ${by}, changed_at = ${now},
      name = coalesce(${name ?? null}, name), description = coalesce(${description ?? null}, description)
      ${
        saved === undefined
          ? empty
          : sql`, sheets = ${JSON.stringify(saved.sheets)}::json, questions = ${saved.questions}`
      }
    where id = ${id}`)

export const deleteBlock = async (tx: Db, projectId: number, id: number): Promise<boolean> =>
  (await tx.run(sql`delete from library_blocks where project_id = ${projectId} and id = ${id}`)) > 0
