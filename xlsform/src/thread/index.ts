export type { XFormChanges } from '../rewrite/rewrite.js'
export type { SheetTable } from '../workbook/sheet-tables.js'
export type { FormDraft, RewrittenForm } from './messages.js'
export { type FormCompiler, openFormCompiler } from './thread.js'
