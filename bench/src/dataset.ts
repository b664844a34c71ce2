// Submissions straight into the tables, as receiving would have stored them: 20 questions, a group and a repeat.
import pg from 'pg'

/** 50 questions: 20 of a choice, 20 numbers, 10 texts. */
const wideAnswers = `
  (select jsonb_object_agg('s' || q, case when (n + q) % 3 = 0 then 'm' else 'f' end) from generate_series(1, 20) q)
  || (select jsonb_object_agg('n' || q, ((n * q) % 97)::text) from generate_series(1, 20) q)
  || (select jsonb_object_agg('q' || q, 'Some words of an answer, number ' || (n % 1000)) from generate_series(1, 10) q)`

const insertWide = (formId: number, count: number): string => `
  insert into submissions (form_id, id, uuid, xml, answers, version, model_number, root_name, status, submitted_at,
    submitted_by, modified_at, change_no, media_total, media_count, attachments)
  select ${formId}, nextval('submission_ids'), md5('${formId}-' || n), '<data/>', ${wideAnswers},
    '1', 1, 'data', 'submitted_via_web', timestamptz '2024-01-01' + n * interval '20 seconds', 1,
    timestamptz '2024-01-01' + n * interval '20 seconds', nextval('change_numbers'), 0, 0, '[]'
  from generate_series(1, ${count}) n`

/** Numbered from 1; their times are 20 seconds apart. */
const insert = (formId: number, count: number): string => `
  insert into submissions (form_id, id, uuid, xml, answers, version, model_number, root_name, status, submitted_at,
    submitted_by, modified_at, change_no, duration, latitude, longitude, media_total, media_count, attachments)
  select ${formId}, nextval('submission_ids'), md5('${formId}-' || n),
    '<data id="visit" version="1"><name>Person ' || n || '</name>' || repeat('<q>Some words of an answer</q>', 30) || '</data>',
    jsonb_build_object('start', '2026-05-01T09:00:00.000+00:00', 'end', '2026-05-01T09:12:30.000+00:00',
      'name', 'Person ' || n, 'age', (n % 97)::text, 'sex', case when n % 2 = 0 then 'f' else 'm' end,
      'household/rooms', (n % 9)::text, 'household/place', '-1.26 36.79 1650.0 4.5',
      'child', jsonb_build_array(
        jsonb_build_object('child/child_name', 'Tom', 'child/child_age', (n % 15)::text),
        jsonb_build_object('child/child_name', 'Dora', 'child/child_age', '5')),
      'meta/instanceID', 'uuid:' || md5('${formId}-' || n))
    || (select jsonb_object_agg('q' || q, 'Some words of an answer, number ' || (n % 1000)) from generate_series(1, 12) q),
    '1', 1, 'data', 'submitted_via_web', timestamptz '2024-01-01' + n * interval '20 seconds', 1,
    timestamptz '2024-01-01' + n * interval '20 seconds', nextval('change_numbers'), 750, -1.26, 36.79, 0, 0, '[]'
  from generate_series(1, ${count}) n`

type Insert = (formId: number, count: number) => string

const filler =
  (statement: Insert) =>
  async (connection: pg.ClientConfig, formId: number, count: number): Promise<void> => {
    const client = new pg.Client(connection)
    await client.connect()
    try {
      await client.query(statement(formId, count))
      await client.query(
        `insert into form_counts (form_id, version, slot, submissions) values (${formId}, '1', 1, ${count})
       on conflict (form_id, version, slot) do update set submissions = excluded.submissions`,
      )
      await client.query('vacuum analyze submissions')
    } finally {
      await client.end()
    }
  }

export const fill = filler(insert)
export const fillWide = filler(insertWide)
