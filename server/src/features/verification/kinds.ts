// What can be wrong, in the words of the report, and what would mend it. Nothing here mends.

export const kinds = {
  form: {
    says: 'records of a form that is not there',
    mend: 'bring the form back from a backup; its records are whole without it',
  },
  instance_id: {
    says: 'records that are not found by their instance id',
    mend: 'write the instance id down again, unless another record has it: then one of the two is a duplicate',
  },
  lost_instance_id: {
    says: 'instance ids of records that are not there',
    mend: 'bring the record back from a backup, or forget the id so that it can be sent again',
  },
  stray_row: {
    says: 'files, notes, reviews and versions of records that are not there',
    mend: 'bring the record back from a backup, or remove the rows',
  },
  history: {
    says: 'records whose former versions are not all there',
    mend: 'bring the versions back from a backup; the present record is not touched by it',
  },
  files_of_record: {
    says: 'records that show other files than they have',
    mend: 'write the list and the counts again from the files',
  },
  notes_of_record: {
    says: 'records that show other notes than they have',
    mend: 'write the list again from the notes',
  },
  review_of_record: {
    says: 'records that show another review than their newest',
    mend: 'write status, comment and time again from the newest review',
  },
  counter: {
    says: 'counters that differ from a recount',
    mend: 'set them to what was counted',
  },
  block: {
    says: 'summaries of long lists that differ from a recount',
    mend: 'drop the summary of the form; it is made again when a list is asked for',
  },
  tally: {
    says: 'kept counts of charts that differ from the sum of their parts',
    mend: 'drop the tallies of the form; they are counted again when a chart is asked for',
  },
  event: {
    says: 'records and their events that do not match',
    mend: 'record what is missing with the time of the submission, remove what is told twice',
  },
  delivery: {
    says: 'records and their deliveries that do not match',
    mend: 'record the delivery; it is sent with the next turn',
  },
  derived: {
    says: 'records that differ from what their XML says',
    mend: 'POST /api/v1/forms/{pk}/rebuild?repair=true derives them again',
  },
  sequence: {
    says: 'sequences behind the numbers that are in use',
    mend: 'set them above the highest number before anything else is received',
  },
  secret_key: {
    says: 'secret that is not the one this database was filled with',
    mend: 'set the former SECRET_KEY, or put the former secret.key back; `sheaf secret accept` keeps the new one',
  },
  sealed_secret: {
    says: 'rest services whose secret cannot be read, so that nothing is sent',
    mend: 'set the former SECRET_KEY, or set "active" of each to true: then it has a new secret',
  },
  file_missing: {
    says: 'files that are named and not in the store',
    mend: 'bring the file back from a backup; whoever sends the submission again does not replace it',
  },
  file_bytes: {
    says: 'files that have other bytes than were received',
    mend: 'bring the file back from a backup',
  },
  file_unnamed: {
    says: 'files in the store that nothing names',
    mend: 'write them down in pending_files: the purge removes them a day later',
  },
} as const

export type Kind = keyof typeof kinds
