// What the database alone takes for the same records: the server's own expressions, without the server.
import type { Readable } from 'node:stream'
import type pg from 'pg'

interface Statement {
  readonly text: string
  readonly values: unknown[]
}

interface Database {
  copyTo(statement: Statement): Promise<Readable>
  rows<T>(statement: Statement): Promise<T[]>
  close(): Promise<void>
}

type Tag = (strings: TemplateStringsArray, ...values: unknown[]) => Statement

const server = (path: string) => import(new URL(`../../server/dist/${path}`, import.meta.url).href)

export interface BenchForm {
  readonly id: number
  readonly uuid: string
  readonly idString: string
}

/** `records(where)` copies records as text, `pages` reads pages of them, `csv` copies the columns of the table. */
export const rawData = async (connection: pg.PoolConfig, poolSize: number) => {
  const { connect, sql } = (await server('platform/db/index.js')) as { connect: (o: object) => Database; sql: Tag }
  const { recordText, recordJoins } = (await server('features/submissions/record.queries.js')) as {
    recordText: (form: BenchForm) => Statement
    recordJoins: Statement
  }
  const db = connect({ connection, poolSize })
  const questions = ['start', 'end', 'name', 'age', 'sex', ...Array.from({ length: 12 }, (_, i) => `q${i + 1}`)]
  const listed = (form: BenchForm, more: Statement) => sql`
    select ${recordText(form)} as text from submissions ${recordJoins}
    where submissions.form_id = ${form.id} and submissions.deleted_at is null ${more}`
  return {
    sql,
    rows: (statement: Statement) => db.rows(statement),
    copyRecords: (form: BenchForm, limit: number) =>
      db.copyTo(sql`copy (${listed(form, sql`order by submissions.id limit ${limit}`)}) to stdout`),
    readRecords: (form: BenchForm, more: Statement) => db.rows<{ text: string }>(listed(form, more)),
    copyColumns: (form: BenchForm) =>
      db.copyTo(sql`
        copy (select ${questions
          .map((name) => sql`answers ->> ${name}`)
          .reduce((all, one) => sql`${all}, ${one}`)}, answers ->> 'household/rooms', answers ->> 'household/place',
          split_part(answers ->> 'household/place', ' ', 1), split_part(answers ->> 'household/place', ' ', 2),
          split_part(answers ->> 'household/place', ' ', 3), split_part(answers ->> 'household/place', ' ', 4),
          answers -> 'child' -> 0 ->> 'child/child_name', answers -> 'child' -> 0 ->> 'child/child_age',
          answers -> 'child' -> 1 ->> 'child/child_name', answers -> 'child' -> 1 ->> 'child/child_age',
          answers ->> 'meta/instanceID', id, uuid, submitted_at, modified_at, tags, notes, version, duration, submitted_by,
          edited_by, media_total, media_count, media_count >= media_total
        from submissions where form_id = ${form.id} and deleted_at is null order by id) to stdout (format csv)`),
    close: () => db.close(),
  }
}

export type RawData = Awaited<ReturnType<typeof rawData>>
