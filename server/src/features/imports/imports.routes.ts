// Importing records: /forms/{pk}/csv_import, /forms/{pk}/import. For managers and owners.

import type { FastifyRequest } from 'fastify'
import { budgets } from '../../budgets.js'
import type { Deps } from '../../platform/deps.js'
import { type App, type Caller, errors, invalid, notFound } from '../../platform/http/index.js'
import type { Static } from '../../platform/schema/index.js'
import { booleanOf } from '../../platform/words/index.js'
import type { Compilers } from '../forms/index.js'
import { FormParams, type FoundForm, formFor } from '../forms/index.js'
import { storeUpload } from '../uploads/index.js'
import { importFailed, noCsvFile, noFile, notCsv, notSpreadsheet } from './imports.errors.js'
import { startImport } from './imports.jobs.js'
import { findImport } from './imports.queries.js'
import { CsvImportBody, ImportAnswer, ImportBody, ImportQuery, ImportStatusQuery, refusals } from './imports.schemas.js'
import { dropImport, type FileField, type IncomingFile, type IncomingImport, receiveImport } from './incoming.js'
import type { ImportOptions } from './reading.js'
import { refuseForm, runImport } from './run.js'
import { checkBeginning, csvSource, kindOf, refuseZip, sheetsOf, sizeOf, type TableSource } from './tables.js'

/** A spreadsheet of 100,000 bytes may hold very many rows. */
const largestInRequest = 1_000_000

type Answer = Static<typeof ImportAnswer>

const paths = [
  { url: '/forms/:pk/csv_import', name: 'csv_import', body: CsvImportBody, takes: ['csv_file'] },
  { url: '/forms/:pk/import', name: 'import', body: ImportBody, takes: ['csv_file', 'xls_file'] },
] as const

/** The one that counts, checked by its name and by its first bytes. */
const chosenFile = ({ files }: IncomingImport, takes: readonly FileField[]): IncomingFile => {
  const file = takes.flatMap((field) => files.find((one) => one.field === field) ?? [])[0]
  if (file === undefined || file.beginning.length === 0) throw takes.length === 1 ? noCsvFile() : noFile()
  const kind = kindOf(file.name)
  refuseZip(file.name, file.beginning)
  if (file.field === 'csv_file' && kind !== 'csv') throw notCsv()
  if (file.field === 'xls_file' && kind !== 'spreadsheet') throw notSpreadsheet()
  checkBeginning(kind ?? 'csv', file.beginning)
  return file
}

const longestUnanswered = budgets.imports.unansweredCharacters

const optionsOf = (request: FastifyRequest, { fields }: IncomingImport): ImportOptions => {
  const { overwrite, na, raw, strict } = { ...(request.query as Record<string, unknown>), ...fields }
  const isOn = (value: unknown) => booleanOf(String(value ?? '')) === true
  const unanswered = String(na ?? '').trim()
  if (unanswered.length > longestUnanswered) throw invalid({ na: [`At most ${longestUnanswered} characters.`] })
  return { overwrite: isOn(overwrite), unanswered, isRaw: isOn(raw), isStrict: isOn(strict) }
}

export const importRoutes = async (app: App, deps: Deps, compilers: Compilers): Promise<void> => {
  const inBackground = async (caller: Caller, form: FoundForm, file: IncomingFile, options: ImportOptions) => {
    const fileKey = file.key ?? (await storeUpload(deps, chunk(file.beginning), { folder: 'imports' })).key
    return { task_id: await startImport(deps, caller, form, { fileKey, fileName: file.name, options }) }
  }

  const sourceOf = async (caller: Caller, { field, beginning }: IncomingFile): Promise<TableSource> =>
    field === 'csv_file'
      ? csvSource(beginning)
      : { kind: 'sheets', sheets: await sheetsOf(compilers.forAccount(caller), beginning) }

  const importFile = async (
    caller: Caller,
    form: FoundForm,
    file: IncomingFile,
    options: ImportOptions,
  ): Promise<Answer> => {
    if (file.key !== undefined) return inBackground(caller, form, file, options)
    const source = await sourceOf(caller, file)
    if (source.kind === 'sheets' && sizeOf(source.sheets) > largestInRequest) {
      return inBackground(caller, form, file, options)
    }
    const outcome = await runImport(deps, { form, importer: caller, source, options })
    // Another import is at it, which may take minutes: this one waits in the background.
    return typeof outcome === 'string' ? inBackground(caller, form, file, options) : outcome
  }

  for (const { url, name, body, takes } of paths) {
    app.post(
      url,
      {
        config: { operation: `form.${name}.start`, access: 'user', streamsBody: true },
        schema: {
          summary: `Import records${name === 'import' ? ' from CSV or a spreadsheet' : ' from CSV'}`,
          description:
            'All rows or none. A row with the uuid of a record edits it where the two differ, any other one adds a record. A row with a former uuid is a change of that version: what others have changed since stays, and what both have changed is refused. What the file has no column for stays as it is. Exports are taken as they are: CSV, and workbooks with their sheets of repeats. Files of more than 100,000 bytes are imported in the background: the answer has a `task_id`.',
          tags: ['forms'],
          consumes: ['multipart/form-data'],
          params: FormParams,
          querystring: ImportQuery,
          body,
          response: { 200: ImportAnswer, ...refusals, ...errors(401, 403, 404, 413, 415) },
        },
      },
      async (request) => {
        const { params, caller } = request
        const form = await formFor(deps.db, caller, params.pk, 'manage')
        refuseForm(form)
        const incoming = await receiveImport(deps, request)
        try {
          return await importFile(caller, form, chosenFile(incoming, takes), optionsOf(request, incoming))
        } catch (error) {
          await dropImport(deps, incoming.files, error)
          throw error
        }
      },
    )

    app.get(
      url,
      {
        config: { operation: `form.${name}.status`, access: 'user' },
        schema: {
          summary: 'How far an import is',
          description: 'A failed one answers 400 with what is wrong.',
          tags: ['forms'],
          params: FormParams,
          querystring: ImportStatusQuery,
          response: { 200: ImportAnswer, ...refusals, ...errors(401, 403, 404) },
        },
      },
      async ({ params, query, caller }) => {
        const form = await formFor(deps.db, caller, params.pk, 'manage')
        return statusOf(deps, form, query.job_uuid ?? '')
      },
    )
  }
}

async function* chunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

const statusOf = async ({ db }: Deps, form: FoundForm, id: string): Promise<Answer> => {
  if (id === '') throw importFailed('Empty job uuid')
  const job = await findImport(db, id)
  if (job === undefined || job.formId !== form.id) throw notFound()
  const { state, progress, total, result, error } = job
  if (state === 'FAILURE') throw importFailed(error ?? '')
  if (state === 'SUCCESS') return { job_status: state, ...result }
  return state === 'PENDING' ? { job_status: state } : { job_status: state, progress, total, info: '' }
}
