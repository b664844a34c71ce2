export { type CsvStyle, csvLine, type Guard, isFormula, needsGuard } from './cells.js'
export { CsvDefuser } from './defuser.js'
