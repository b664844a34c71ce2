// Files of a form's data: what is in one, whoever asks for it, now or as an export that is kept.
import type { Deps } from '../../platform/deps.js'
import { type Format, mediaTypes } from '../../platform/http/index.js'
import { csvZipOf, xlsxOf } from './archives.js'
import { choiceWords } from './choice-words.js'
import { csvOf } from './csv.js'
import type { SeenForm } from './data.access.js'
import { type DataPart, type ListQuery, type ListRequest, readList } from './list-request.js'
import { mediaZipOf } from './media.js'
import { fieldsOf, kmlOf } from './renderers.js'
import { findSlice, isCut, wholeSlice } from './slices.js'
import type { Export } from './streams.js'
import { type TableOptions, tableOptions, windowEnd } from './table-options.js'

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
export const fileNameOf = (idString: string, format: FileFormat): string =>
  `${idString.replace(/[\p{Cc}\p{Surrogate}/\\:*?"<>|]+/gu, '_').trim() || 'data'}${endings[format]}`

/** In files `start` and `end` may be a window of time. */
const withTimes = (query: ListQuery): ListQuery => {
  const [from, to] = [windowEnd(query.start), windowEnd(query.end)]
  return {
    ...query,
    ...(from !== undefined && { date_created__gte: from }),
    ...(to !== undefined && { date_created__lte: to }),
  }
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

const readRequest = async ({ db }: Deps, { seen, part, query }: Omit<FileRequest, 'format' | 'origin'>) => {
  const list = await readList(db, seen, withTimes(query), { part })
  return { list, options: tableOptions(query, fieldsOf(query), list.shape) }
}

/** 400 for what no file can be made of: whoever asks for one in the background is told at once. */
export const checkFile = async (deps: Deps, file: Omit<FileRequest, 'format' | 'origin'>): Promise<void> => {
  await readRequest(deps, file)
}

const contentOf = async (deps: Deps, file: FileRequest, { list, options }: ReadRequest): Promise<Export> => {
  const { db } = deps
  const now = deps.clock.now()
  const slice = isCut(list) ? (await findSlice(db, list)).slice : wholeSlice(list)
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
      return csvZipOf(db, await table())
    case 'zip':
      return mediaZipOf(deps, {
        slice,
        formId: list.seen.form.id,
        question: file.query.question || undefined,
        now,
      })
    case 'kml':
      return kmlOf(db, list, slice)
  }
}

export const fileOf = async (deps: Deps, file: FileRequest): Promise<Export> =>
  contentOf(deps, file, await readRequest(deps, file))
