// Files that are made in the background and kept: /forms/{pk}/export_async, /export.
import { randomUUID } from 'node:crypto'
import { budgets } from '../../budgets.js'
import type { Deps, Room } from '../../platform/deps.js'
import {
  AppError,
  absent,
  Bytes,
  type Caller,
  dispositionOf,
  errors,
  forbidden,
  NoBody,
  notFound,
} from '../../platform/http/index.js'
import { enqueue } from '../../platform/jobs/index.js'
import { Type } from '../../platform/schema/index.js'
import {
  checkFile,
  type DataPart,
  type FileFormat,
  fileNameOf,
  fileTypeOf,
  isFileFormat,
  ListParams,
  PkParams,
  requireExport,
  type SeenForm,
  seenForm,
  unknownFormat,
} from '../data/index.js'
import { DataviewParams, seenDataview } from '../dataviews/index.js'
import type { Dataview } from '../forms/index.js'
import {
  countOpenExports,
  deleteExport,
  dropOldest,
  type ExportRow,
  findExport,
  findExportOfJob,
  findReusable,
  insertExport,
  listExports,
} from './exports.queries.js'
import { ExportView, exportView, JobView, jobView } from './exports.views.js'
import { exportJobs, makeJob, optionsKey } from './make.js'

const tooManyExports = (most: number) =>
  new AppError({
    code: 'export.waiting',
    status: 429,
    message: `${most} of your exports wait or are being made. Ask again when some of them are done.`,
    headers: { 'retry-after': '60' },
  })

const mostKept = 10
const reusedForMs = 5 * 60 * 1000

const AsyncParams = Type.Object({
  ...ListParams.properties,
  job_uuid: Type.Optional(
    Type.String({ maxLength: 100, description: 'How far is the export that this was answered for?' }),
  ),
})

const ExportParams = Type.Object({
  pk: Type.String({
    maxLength: 40,
    description: 'Id of an export; with `.sha256` its hash.',
    examples: ['7', '7.sha256'],
  }),
})

type Query = Readonly<Record<string, string | undefined>>

interface Asked {
  readonly seen: SeenForm
  readonly dataview?: Dataview
  readonly part?: DataPart
  readonly caller: Caller
  readonly query: Query
  readonly origin: string
}

/** A parameter that is empty says nothing, but for one whose value may be empty. */
const isGiven = ([name, value]: [string, string | undefined]): boolean =>
  value !== undefined && (value !== '' || name === 'na')

const ask = async (deps: Deps, { seen, dataview, part, caller, query, origin }: Asked): Promise<ExportRow> => {
  const { db, clock } = deps
  const { format = 'csv', job_uuid: _job, ...given } = query
  const now = clock.now()
  const options = Object.fromEntries(Object.entries(given).filter(isGiven)) as Record<string, string>
  await checkFile(deps, { seen, part, query: options, format: format as FileFormat })
  const wanted = {
    formId: seen.form.id,
    dataviewId: dataview?.id ?? null,
    createdBy: caller.isAnonymous ? null : caller.id,
    jobUuid: randomUUID(),
    kind: format,
    options,
    optionsKey: optionsKey(options, seen.form.versionNumber, dataview),
    sight: seen.sight === 'all' ? ('all' as const) : ('own' as const),
    filename: fileNameOf(seen.form.idString, format as FileFormat),
    now,
  }
  return db.transaction(async (tx) => {
    const known = await findReusable(tx, wanted, { startedAfter: new Date(now.getTime() - reusedForMs) })
    if (known !== undefined) return known
    if ((await countOpenExports(tx, wanted)) >= budgets.exports.waiting) throw tooManyExports(budgets.exports.waiting)
    const id = await insertExport(tx, wanted)
    await dropOldest(tx, seen.form.id, format, mostKept)
    // Of one account one after the other: the rest of the runner is for others.
    const queue = caller.isAnonymous ? `exports:form:${seen.form.id}` : `exports:${caller.id}`
    await enqueue(tx, makeJob, { exportId: id, origin }, { queue })
    return (await findExport(tx, id)) as ExportRow
  })
}

/** An export of all records is for those who may export all now, whoever asked for it; one of somebody's own is theirs. */
const seenExport = async ({ db }: Deps, caller: Caller, pk: string): Promise<{ row: ExportRow; seen: SeenForm }> => {
  const row = /^\d{1,9}$/.test(pk) ? await findExport(db, Number(pk)) : undefined
  if (row === undefined) throw notFound()
  const seen = await seenForm(db, caller, String(row.formId))
  requireExport(seen)
  const isOwn = !caller.isAnonymous && row.createdBy === caller.id
  if (row.sight === 'own' ? !isOwn : seen.sight !== 'all') throw notFound()
  return { row, seen }
}

export const exportRoutes: Room = async (app, deps) => {
  const { db, files } = deps
  exportJobs(deps)

  /** A new export, or how far the one is that `job_uuid` names. */
  const answer = async (asked: Asked, isOffered: (format: string) => boolean) => {
    const { seen, caller, query, origin } = asked
    requireExport(seen)
    if (query.job_uuid) {
      const row = await findExportOfJob(db, seen.form.id, query.job_uuid)
      if (row === undefined) throw notFound()
      return jobView(origin, (await seenExport(deps, caller, String(row.id))).row)
    }
    const { format = 'csv' } = query
    if (!isOffered(format)) throw unknownFormat(format)
    return jobView(origin, await ask(deps, asked))
  }

  app.get(
    '/forms/:pk/export_async',
    {
      exposeHeadRoute: false,
      config: {
        operation: 'export.ask',
        access: 'anyone',
        changes: true,
        formats: ['json', 'csv', 'xlsx', 'csvzip', 'kml', 'zip'],
        unknownFormat,
      },
      schema: {
        summary: 'Make a file of a form’s data in the background',
        description:
          'Takes `format` and every parameter of `GET /data/{pk}`. Answers `job_uuid`; with it, how far the export is, and where the file is when it is done. An equal export is used again until the data change.',
        tags: ['data'],
        params: PkParams,
        querystring: AsyncParams,
        response: { 202: JobView, ...errors(400, 401, 403, 404) },
      },
    },
    async ({ params, query, caller, origin }, reply) => {
      const seen = await seenForm(db, caller, params.pk)
      return reply.code(202).send(await answer({ seen, caller, query, origin }, isFileFormat))
    },
  )

  app.get(
    '/dataviews/:pk/export_async',
    {
      exposeHeadRoute: false,
      config: {
        operation: 'export.ask_dataview',
        access: 'anyone',
        changes: true,
        formats: ['json', 'csv', 'xlsx', 'csvzip', 'kml'],
        unknownFormat,
      },
      schema: {
        summary: 'Make a file of a dataview in the background',
        description: 'As `GET /forms/{pk}/export_async`, of the records and columns of the dataview.',
        tags: ['dataviews'],
        params: DataviewParams,
        querystring: AsyncParams,
        response: { 202: JobView, ...errors(400, 401, 403, 404) },
      },
    },
    async ({ params, query, caller, origin }, reply) => {
      const { seen, dataview, condition, columns } = await seenDataview(db, caller, params.pk)
      const part = { condition, columns }
      const isOffered = (format: string) => isFileFormat(format) && format !== 'zip'
      return reply.code(202).send(await answer({ seen, dataview, part, caller, query, origin }, isOffered))
    },
  )

  app.get(
    '/export',
    {
      config: { operation: 'export.list', access: 'anyone' },
      schema: {
        summary: 'Exports of a form',
        description: 'Of the form `xform`; without it an empty array.',
        tags: ['data'],
        querystring: Type.Object({
          xform: Type.Optional(Type.String({ maxLength: 40, description: 'Form id.', examples: ['12'] })),
        }),
        response: { 200: Type.Array(ExportView), ...errors(400, 401, 403, 404) },
      },
    },
    async ({ query, caller, origin }) => {
      if (!query.xform) return []
      const seen = await seenForm(db, caller, query.xform)
      requireExport(seen)
      return (await listExports(db, seen.form.id, caller.id, seen.sight === 'all')).map(exportView(origin))
    },
  )

  app.get(
    '/export/:pk',
    {
      config: { operation: 'export.get', access: 'anyone' },
      schema: {
        summary: 'The file of an export',
        description: 'As an attachment; `/export/{pk}.sha256` is its hash in the form that sha256sum checks.',
        tags: ['data'],
        params: ExportParams,
        response: { 200: Bytes('The file.'), ...errors(400, 401, 403, 404) },
      },
    },
    async ({ params, caller }, reply) => {
      const [, pk = '', suffix] = /^(\d+)(\.sha256)?$/.exec(params.pk) ?? []
      const { row } = await seenExport(deps, caller, pk)
      if (row.fileKey === null || row.status !== 'SUCCESS') throw absent()
      const content = await files.get(`${row.fileKey}${suffix ?? ''}`)
      return reply
        .type(suffix === undefined ? fileTypeOf(row.kind as FileFormat) : 'text/plain; charset=utf-8')
        .header('content-disposition', dispositionOf(`${row.filename}${suffix ?? ''}`))
        .header('content-length', content.bytes)
        .header('x-row-count', row.rowCount)
        .header('x-content-sha256', row.sha256)
        .send(content.stream as never)
    },
  )

  app.delete(
    '/export/:pk',
    {
      config: { operation: 'export.delete', access: 'user' },
      schema: {
        summary: 'Delete an export',
        description: 'For whoever made it, and for managers and owners of the form.',
        tags: ['data'],
        params: ExportParams,
        response: { 204: NoBody, ...errors(400, 401, 403, 404) },
      },
    },
    async ({ params, caller }, reply) => {
      const { row, seen } = await seenExport(deps, caller, params.pk)
      if (row.createdBy !== caller.id && !seen.form.access.may('manage')) throw forbidden()
      await deleteExport(db, row.id)
      return reply.code(204).send(null)
    },
  )
}
