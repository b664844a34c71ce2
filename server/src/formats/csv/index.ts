export { csvLine, defused } from './cells.js'
export { CsvDefuser } from './defuser.js'
