// What an export holds, and how the API is asked for it.
import type { FilterParameters } from '../filter/use-filter'

export const formats = ['xlsx', 'csv', 'csvzip', 'geojson', 'kml', 'zip'] as const
export type Format = (typeof formats)[number]
/** Its text says what is in it. */
export const hintOf = {
  xlsx: 'xlsxHint',
  csv: 'csvHint',
  csvzip: 'csvzipHint',
  geojson: 'geojsonHint',
  kml: 'kmlHint',
  zip: 'zipHint',
} as const satisfies Readonly<Record<Format, string>>
export type What = 'all' | 'matching' | 'chosen'

export interface ExportChoice {
  what: What
  format: Format
  columns: 'all' | 'shown'
  /** What stands in heads and cells. */
  words: 'labels' | 'names' | 'both'
  language: string
  /** A question that takes several choices as one column for each, or as one. */
  splits: boolean
  groups: 'slash' | 'dot' | 'none'
  reviews: boolean
  /** For programs: nothing is escaped for spreadsheets, and nothing stands for no answer. */
  isRaw: boolean
  geoField: string
}

export const isTable = (format: Format): boolean => format === 'xlsx' || format === 'csv' || format === 'csvzip'

/** It shows one place of each record. */
export const isMap = (format: Format): boolean => format === 'geojson' || format === 'kml'

/** Each is a condition of the query, which has a bound, and so has an address. */
export const mostChosen = 400

const chosenQuery = (ids: readonly number[]) => JSON.stringify({ _id: { $in: ids } })

export const filterOf = (
  what: What,
  filter: FilterParameters,
  chosen: readonly number[],
): Readonly<Record<string, string>> =>
  what === 'all' ? {} : what === 'chosen' ? { query: chosenQuery(chosen) } : { ...filter }

const wordOptions = (words: ExportChoice['words']): Readonly<Record<string, string>> => {
  if (words === 'names') return {}
  return words === 'labels'
    ? { include_labels_only: 'true', show_choice_labels: 'true' }
    : { include_labels: 'true', show_choice_labels: 'true' }
}

export const optionsOf = (
  choice: ExportChoice,
  { filter, chosen, columns }: { filter: FilterParameters; chosen: readonly number[]; columns: readonly string[] },
): Readonly<Record<string, string>> => {
  const rows = filterOf(choice.what, filter, chosen)
  if (isMap(choice.format)) {
    const isFeatures = choice.format === 'geojson'
    return {
      ...rows,
      ...(isFeatures && { simple_style: 'true' }),
      ...(choice.geoField !== '' && { geo_field: choice.geoField }),
    }
  }
  if (!isTable(choice.format)) return rows
  return {
    ...rows,
    ...(choice.columns === 'shown' && { fields: JSON.stringify(columns) }),
    ...wordOptions(choice.words),
    ...(choice.words !== 'names' && choice.language !== '' && { language: choice.language }),
    ...(!choice.splits && { split_select_multiples: 'false' }),
    ...(choice.groups === 'dot' && { group_delimiter: '.' }),
    ...(choice.groups === 'none' && { remove_group_name: 'true' }),
    ...(choice.reviews && { include_reviews: 'true' }),
    ...(choice.format !== 'xlsx' && (choice.isRaw ? { raw: 'true', na: '' } : { win_excel_utf8: 'true' })),
  }
}

/** From a few records: how large the file will be, about. Undefined where that cannot be told. */
export const aboutBytes = (
  format: Format,
  rows: number,
  sampleBytes: number,
  sampleRows: number,
): number | undefined => {
  if (sampleRows === 0 || format === 'zip') return undefined
  // Of JSON a third is names; a workbook and an archive are packed.
  const share = { csv: 0.7, csvzip: 0.15, xlsx: 0.25, geojson: 0.4, kml: 1.2 }[format]
  return Math.round((sampleBytes / sampleRows) * rows * share)
}
