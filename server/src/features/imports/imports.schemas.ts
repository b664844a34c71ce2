import { budgets } from '../../budgets.js'
import { FilePart } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'

const File = (description: string) => Type.Optional(FilePart(description))

const fields = {
  overwrite: Type.Optional(
    Type.String({ maxLength: 10, description: 'true: all present records are deleted first. Default false.' }),
  ),
  na: Type.Optional(
    Type.String({
      maxLength: budgets.imports.unansweredCharacters,
      description: 'What stands for no answer in the file, beside nothing and `n/a`.',
    }),
  ),
  raw: Type.Optional(
    Type.String({
      maxLength: 10,
      description:
        'true: cells are as they stand; an apostrophe before `=`, `+`, `-` or `@` is no guard. Default false.',
    }),
  ),
  strict: Type.Optional(
    Type.String({
      maxLength: 10,
      description: 'true: columns that mean nothing to the form are refused, not left out. Default false.',
    }),
  ),
}

export const CsvImportBody = Type.Object(
  { csv_file: File('CSV in UTF-8, separated by comma, semicolon, tab or bar.'), ...fields },
  { 'x-unchecked': true, examples: [{ csv_file: 'name,age\nAna,30\n', strict: 'true' }] },
)

export const ImportBody = Type.Object(
  {
    csv_file: File('CSV in UTF-8, separated by comma, semicolon, tab or bar.'),
    xls_file: File('an .xlsx or .xls file: its first sheet, and the sheets of repeats as exports write them.'),
    ...fields,
  },
  { 'x-unchecked': true, examples: [{ csv_file: 'name,age\nAna,30\n', strict: 'true' }] },
)

export const ImportQuery = Type.Object(fields)

export const ImportStatusQuery = Type.Object({
  job_uuid: Type.Optional(Type.String({ maxLength: 100, description: 'The task_id of the import.' })),
})

export const ImportAnswer = Type.Object(
  {
    additions: Type.Optional(Type.Integer()),
    duplicates: Type.Optional(Type.Integer({ description: 'Rows of deleted records, which stay deleted.' })),
    updates: Type.Optional(Type.Integer()),
    unchanged: Type.Optional(
      Type.Integer({ description: 'Rows that say what is stored already: no edits. Left out when there are none.' }),
    ),
    info: Type.Optional(
      Type.String({
        description:
          'Columns and rows that were left out or not used, and times that were taken as UTC; empty where there are none.',
      }),
    ),
    task_id: Type.Optional(Type.String({ description: 'The import goes on in the background under this id.' })),
    job_status: Type.Optional(Type.String({ description: 'PENDING, PROGRESS or SUCCESS.' })),
    progress: Type.Optional(Type.Integer({ description: 'Rows done.' })),
    total: Type.Optional(Type.Integer({ description: 'Rows of the file.' })),
  },
  { examples: [{ additions: 9, duplicates: 0, updates: 0, info: '' }] },
)

const Refusal = Type.Object(
  {
    error: Type.Optional(Type.String()),
    job_status: Type.Optional(Type.String()),
    detail: Type.Optional(Type.String()),
  },
  {
    description: 'What is wrong with the file, with every faulty row; nothing was stored.',
    examples: [
      { error: "Invalid CSV data imported in row(s): {1: ['Unknown date format(s): 2014-13-01 (column born)']}" },
      { error: 'csv_file field empty' },
    ],
  },
)

export const refusals = { 400: Refusal } as Record<never, typeof Refusal>
