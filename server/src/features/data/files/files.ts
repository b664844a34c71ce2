// Files of a form's data: what is in one, whether it is sent at once or kept as an export.

import type { Db } from '../../../platform/db/index.js'
import type { Deps } from '../../../platform/deps.js'
import { badRequest, type Format, mediaTypes } from '../../../platform/http/index.js'
import { type AuditTable, auditLines, auditsOf, logQuestions } from '../audits/index.js'
import { kmlOf, placeOfKml } from '../lists/index.js'
import type { Export } from '../reading/index.js'
import {
  type DataPart,
  fieldsOf,
  findSlice,
  isCut,
  type ListQuery,
  type ListRequest,
  readList,
  type SeenForm,
  type Slice,
  wholeSlice,
} from '../selection/index.js'
import {
  byteMark,
  choiceWords,
  csvOf,
  csvZipOf,
  type Entry,
  type TableOptions,
  tableOptions,
  xlsxOf,
} from '../tables/index.js'
import { mediaZipOf } from './media.js'

const fileFormats = ['csv', 'xlsx', 'csvzip', 'kml', 'zip'] as const satisfies readonly Format[]
export type FileFormat = (typeof fileFormats)[number]

export const isFileFormat = (format: string): format is FileFormat =>
  (fileFormats as readonly string[]).includes(format)

const endings: Readonly<Record<FileFormat, string>> = {
  csv: '.csv',
  xlsx: '.xlsx',
  csvzip: '.csv.zip',
  kml: '.kml',
  zip: '-media.zip',
}

export const fileTypeOf = (format: FileFormat): string =>
  format === 'csv' ? 'text/csv; charset=utf-8' : mediaTypes[format]

/** A form's id may hold what a name of a file cannot. */
const asName = (idString: string): string =>
  idString.replace(/[\p{Cc}\p{Surrogate}/\\:*?"<>|]+/gu, '_').trim() || 'data'

export const fileNameOf = (idString: string, format: FileFormat): string => `${asName(idString)}${endings[format]}`

/** As Briefcase and Central name it. */
export const auditNameOf = (idString: string): string => `${asName(idString)} - audit.csv`

/** `24_12_31_23_59_59` as a moment; undefined when it is not given. */
const windowEnd = (text: string | undefined): string | undefined => {
  if (!text || /^-?\d+$/.test(text.trim())) return undefined
  const match = /^(\d\d)_(\d\d)_(\d\d)_(\d\d)_(\d\d)_(\d\d)$/.exec(text.trim())
  const [, year, month, day, hour, minute, second] = match ?? []
  const moment = `20${year}-${month}-${day}T${hour}:${minute}:${second}Z`
  const isDate = match !== null && !Number.isNaN(Date.parse(moment))
  if (!isDate || !new Date(moment).toISOString().startsWith(moment.slice(0, 10))) {
    throw badRequest('Dates must be in the format YY_MM_DD_hh_mm_ss')
  }
  return moment
}

/** In files `start` and `end` may be a window of time. */
const withTimes = (query: ListQuery): ListQuery => {
  const [from, to] = [windowEnd(query.start), windowEnd(query.end)]
  return {
    ...query,
    ...(from !== undefined && { date_created__gte: from }),
    ...(to !== undefined && { date_created__lte: to }),
  }
}

const mostFiles = 1000

const fileIds = (text: string | undefined): number[] | undefined => {
  if (!text) return undefined
  const parts = text.split(',', mostFiles + 1).map((part) => part.trim())
  if (parts.length > mostFiles || !parts.every((part) => /^\d{1,15}$/.test(part))) {
    throw badRequest(`files must be ids of files with commas between them, at most ${mostFiles}.`)
  }
  return parts.map(Number)
}

export interface FileRequest {
  readonly seen: SeenForm
  readonly part?: DataPart | undefined
  readonly query: ListQuery
  readonly format: FileFormat
  readonly origin: string
}

interface ReadRequest {
  readonly list: ListRequest
  readonly options: TableOptions
}

const readRequest = async ({ db }: Deps, { seen, part, query, format }: Omit<FileRequest, 'origin'>) => {
  const list = await readList(db, seen, withTimes(query), { part })
  fileIds(query.files)
  if (format === 'kml') placeOfKml(list, query.geo_field)
  return { list, options: tableOptions(query, fieldsOf(query), list.shape) }
}

/** 400 for what no file can be made of, before a file is made in the background. */
export const checkFile = async (deps: Deps, file: Omit<FileRequest, 'origin'>): Promise<void> => {
  await readRequest(deps, file)
}

const auditTable = ({ list, options }: ReadRequest, slice: Slice): AuditTable => ({
  list,
  slice,
  style: { guard: { isOff: options.isRaw, words: new Set() }, unanswered: options.unanswered },
  mark: options.hasByteMark ? byteMark : '',
})

/** Where the form keeps logs, and the question for them is among what is asked for. */
const auditEntries =
  ({ files }: Deps, request: ReadRequest, slice: Slice) =>
  (tx: Db): Entry[] => {
    const { list, options } = request
    const chosen = [list.columns, options.fields].filter((names) => names !== undefined)
    const questions = logQuestions(list.shape).filter((key) => chosen.every((names) => names.includes(key)))
    if (questions.length === 0) return []
    const content = () => auditLines({ tx, files }, auditTable(request, slice))
    return [{ path: auditNameOf(list.seen.form.idString), content }]
  }

const sliceOf = async ({ db }: Deps, list: ListRequest): Promise<Slice> =>
  isCut(list) ? (await findSlice(db, list)).slice : wholeSlice(list)

/** The audit logs of the records that are asked for, as one table. */
export const auditFileOf = async (deps: Deps, file: Omit<FileRequest, 'format' | 'origin'>): Promise<Export> => {
  const request = await readRequest(deps, { ...file, format: 'csv' })
  return auditsOf(deps, auditTable(request, await sliceOf(deps, request.list)))
}

const contentOf = async (deps: Deps, file: FileRequest, request: ReadRequest): Promise<Export> => {
  const { db } = deps
  const { list, options } = request
  const now = deps.clock.now()
  const slice = await sliceOf(deps, list)
  const table = async () => {
    const words = await choiceWords(list.shape, options)
    return { list, slice, options, words, origin: file.origin, now }
  }
  switch (file.format) {
    case 'csv':
      return csvOf(db, await table())
    case 'xlsx':
      return xlsxOf(db, await table())
    case 'csvzip':
      return csvZipOf(db, await table(), auditEntries(deps, request, slice))
    case 'zip':
      return mediaZipOf(deps, {
        slice,
        formId: list.seen.form.id,
        question: file.query.question || undefined,
        ids: fileIds(file.query.files),
        isByQuestion: file.query.folders === 'questions',
        now,
      })
    case 'kml':
      return kmlOf(db, list, slice, placeOfKml(list, file.query.geo_field))
  }
}

export const fileOf = async (deps: Deps, file: FileRequest): Promise<Export> =>
  contentOf(deps, file, await readRequest(deps, file))
