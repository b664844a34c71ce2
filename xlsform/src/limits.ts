/** Bounds on what is read. A file past one of them is refused with a message, never half read. */
export const limits = {
  /** An upload of this size is already a hundred times the largest form seen. */
  fileBytes: 64 * 1024 * 1024,
  /** The legacy format takes ten times its size in memory to read. */
  legacyBytes: 16 * 1024 * 1024,
  zipEntries: 5_000,
  /** Per part of a workbook after unpacking, and for all parts together. */
  partBytes: 96 * 1024 * 1024,
  unpackedBytes: 192 * 1024 * 1024,
  /** Deflate reaches 1:1032 on zeros; sheets of real forms stay under 1:60. */
  zipRatio: 400,
  /** Below this size a high ratio is harmless. */
  zipRatioFromBytes: 4 * 1024 * 1024,
  sheets: 200,
  columns: 2_000,
  cells: 4_000_000,
  /** Questions and groups; the largest form seen has 5,000. Refused before anything is made of them: compiling 200,000 took
   * a quarter of a minute. Choices have no bound of their own: villages of a country are some 100,000. */
  surveyRows: 50_000,
  cellLength: 65_536,
  /** All texts of a sheet together: one shared string may stand in every cell. */
  sheetCharacters: 32 * 1024 * 1024,
  /** Empty rows between others, of a sheet that is shown or written again. The grid of spreadsheet programs has a million. */
  gapRows: 100_000,
  /** Of a form, reading stops after more empty rows or header cells than these. */
  emptyRows: 60,
  emptyHeaders: 20,
  /** Groups and repeats within each other. */
  nesting: 60,
  /** Elements a loop may multiply a form into. */
  expandedRows: 200_000,
  /** Of an element or attribute; it is repeated in every path below it. */
  nameLength: 255,
  /** XForm XML, written and read. */
  xmlBytes: 64 * 1024 * 1024,
  xmlDepth: 200,
  xmlElements: 3_000_000,
  xmlAttributes: 1_000,
  /** Paths of all elements together; and texts, of which many elements may share one. */
  pathCharacters: 64 * 1024 * 1024,
  texts: 1_000_000,
  languages: 500,
} as const
