export { type CsvStyle, csvLine, type Guard, needsGuard, wordsBesideFormulas } from './cells.js'
export { CsvDefuser } from './defuser.js'
