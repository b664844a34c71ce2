export { type Columns, columnsOf } from './columns.js'
export { type ByteChunks, CsvRefused, type CsvRow, csvRows } from './csv.js'
export { type InstanceHead, instanceXml } from './instance.js'
export { type Row, readRow } from './rows.js'
