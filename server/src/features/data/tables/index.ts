// Records as tables: which columns there are, what their cells hold, and CSV, workbooks and archives made of them.
export { csvZipOf, type Entry, xlsxOf } from './archives.js'
export { choiceWords } from './choice-words.js'
export { byteMark } from './columns.js'
export { csvOf } from './csv.js'
export { measuringJobs } from './measuring.js'
export { type TableOptions, tableOptions } from './options.js'
