import { PageQuery } from '../../../platform/http/index.js'
import { Type } from '../../../platform/schema/index.js'
import { FilterQuery } from '../selection/index.js'

const option = (description: string, example?: string) =>
  Type.Optional(Type.String({ maxLength: 1000, description, ...(example !== undefined && { examples: [example] }) }))

/** Far below what a request line can hold; a longer one is refused before it comes here. */
const queryLength = 100_000

const AskQuery = {
  query: Type.Optional(
    Type.String({
      maxLength: queryLength,
      description:
        'JSON object of conditions that must all hold, with the operators $gt, $gte, $lt, $lte, $i, $or, $ne, $in, $nin, $has (any of these words, for answers that take several choices), $exists and $and; or free text.',
      examples: ['{"age": {"$gt": "20"}, "name": {"$i": "tom"}}'],
    }),
  ),
  data: Type.Optional(Type.String({ maxLength: queryLength, description: 'The same as `query`, which wins.' })),
  search: Type.Optional(
    Type.String({
      maxLength: 1000,
      description:
        'Text that any answer, the id, the instance id or the name of the submitter holds, in capital or small letters. Beside `query`, both must hold.',
      examples: ['tom'],
    }),
  ),
  sort: Type.Optional(
    Type.String({
      maxLength: queryLength,
      description: 'JSON object of field to 1 or -1; or a field, with a minus for descending.',
      examples: ['{"_submission_time": -1}'],
    }),
  ),
}

export const ListParams = Type.Object({
  ...AskQuery,
  ...PageQuery,
  ...FilterQuery,
  start: option('Records to skip.', '100'),
  limit: option('Records at most; never more than 10000.', '50'),
  count: option(
    'true: `[{"count": 3}]` in place of the records: how many match, whatever page is asked for. In a form of millions `exact` is false while it is an estimate; asked again, it is counted further.',
    'true',
  ),
  end: option('In files: up to this time, as YY_MM_DD_hh_mm_ss.', '24_12_31_23_59_59'),
  fields: Type.Optional(
    Type.String({
      maxLength: queryLength,
      description: 'JSON list of the fields to show, in tables too; or names with commas between them.',
      examples: ['["_id", "name"]'],
    }),
  ),
  changed_since: option(
    'What was created, edited, reviewed, tagged or deleted since this cursor; 0 is the beginning. Link has the next one.',
    '0',
  ),
  deleted: option(
    'true lists the records that were deleted in the last 30 days, the newest deletion first, to be brought back: `_id`, `_uuid` and `_deleted_at` of each. With pages, and without other parameters.',
    'true',
  ),
  geo_field: option('The question whose place is meant by `bbox` and `polygon`, and shown in GeoJSON and KML.'),
  simple_style: option('GeoJSON: true shows a point as a Point.'),
  title: option('GeoJSON: the field that is the title of a feature.'),
  question: option('Zip: files of this question alone.'),
  files: option('Zip: these files alone, by their ids with commas between them; at most 1000.', '5,8'),
  folders: option(
    'Zip: `questions` gives a folder to each question, and names that begin with the day and the record; else each record has one.',
    'questions',
  ),
  group_delimiter: option('Tables: `/` or `.` between groups.'),
  split_select_multiples: option('Tables: false shows a select_multiple as one column.'),
  do_not_split_select_multiples: option('Tables: true shows a select_multiple as one column.'),
  binary_select_multiples: option('Tables: 1 and 0 in place of True and False.'),
  value_select_multiples: option('Tables: the name of the choice in place of True.'),
  remove_group_name: option('Tables: columns without their groups.'),
  include_labels: option('Tables: labels in a second line.'),
  include_labels_only: option('Tables: labels in place of names.'),
  include_hxl: option('Tables: false leaves out the line of HXL tags of forms that have them.'),
  include_images: option('Tables: addresses of files; false shows their names.'),
  include_reviews: option('Tables: columns of the review.'),
  win_excel_utf8: option('CSV: with the mark by which Excel knows UTF-8; a workbook needs none.'),
  show_choice_labels: option('Tables: labels of choices in place of names.'),
  language: option('Tables: language of labels, one of the form’s.'),
  repeat_index_tags: option(
    'CSV: what stands around the number of an entry; in several tables it has no number.',
    '[,]',
  ),
  raw: option('CSV: true leaves out the apostrophe before text that a spreadsheet would execute.'),
  na: option(
    'Tables: stands for a question without an answer: by itself `n/a` in CSV, nothing in XLSX; may be empty.',
    'NA',
  ),
  format: option('In place of a suffix.'),
})

const recordExample = { name: 'Tom', age: '21', _id: 4503, _uuid: '9d6d5d4e', _submission_time: '2013-01-03T02:27:19' }

/** Answers by question, and the built-in fields; made as text by the database, so nothing is serialised here. */
export const RecordView = Type.Object(
  {},
  {
    additionalProperties: true,
    description: 'A submission: answers by question, and built-in fields.',
    examples: [recordExample],
  },
)

export const RecordsView = Type.Array(RecordView, { examples: [[recordExample]] })
