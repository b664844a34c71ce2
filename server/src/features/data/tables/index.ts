// Records as tables: which columns there are, what their cells hold, and CSV, workbooks and archives made of them.
export { csvZipOf, xlsxOf } from './archives.js'
export { choiceWords } from './choice-words.js'
export { csvOf } from './csv.js'
export { type TableOptions, tableOptions } from './options.js'
