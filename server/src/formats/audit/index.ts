// Audit logs of phones (audit.csv): read leniently, and what they say of the work on a record.
export { type AuditFacts, AuditFactsReader, momentIn } from './facts.js'
export { type AuditColumn, type AuditLine, AuditLogReader, auditColumns, isUnknown } from './log.js'
