import { acrossForms, type Db, sql } from '../../../platform/db/index.js'

/** Forms of at least so many records in which something is not measured: what came or changed since, or blocks that nobody has
 * looked at. One look into an index for each. */
export const listUnmeasured = async (db: Db, fewest: number): Promise<number[]> =>
  (
    await db.rows<{ id: number }>(
      acrossForms(
        'a job looks for what is to be measured, once a minute; every worker for its own forms',
        sql`
      select large.form_id as id
      from (select form_id from form_counts group by form_id having sum(submissions) >= ${fewest}) large
      left join submission_block_states states on states.form_id = large.form_id
      where exists (select from submissions changed
          where changed.form_id = large.form_id and changed.change_no > coalesce(states.change_no, 0))
        or exists (select from submission_tombstones gone
          where gone.form_id = large.form_id and gone.change_no > coalesce(states.change_no, 0))
        or exists (select from submission_blocks blocks where blocks.form_id = large.form_id and blocks.shape is null)
      order by large.form_id`,
      ),
    )
  ).map(({ id }) => id)
