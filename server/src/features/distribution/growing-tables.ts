// The tables that grow with submissions (ADR 0042). On Citus they are distributed by form; every other table stays a plain table
// of the coordinator. A test holds the list against the schema, and every statement that the tests run against it.

/** The others are laid beside the first: what belongs to a form is on one machine. */
export const growingTables = [
  'submissions',
  'submission_versions',
  'instance_ids',
  'attachments',
  'submission_notes',
  'submission_reviews',
  'submission_tombstones',
  'submission_blocks',
  'submission_block_states',
  'form_counts',
  'form_events',
  'tallies',
  'tally_blocks',
] as const
