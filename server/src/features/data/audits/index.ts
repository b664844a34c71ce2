// Audit logs of records: all of them as one table, and what those of one record say.

export { AuditsParams, AuditsTable, AuditView } from './audits.schemas.js'
export { auditOfRecord } from './record-audit.js'
export { type AuditTable, auditLines, auditsOf, logQuestions } from './table.js'
