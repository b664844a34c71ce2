export { type FormVerb, formEventRows, recordFormEvent, recordMessage, type TargetType } from './record.queries.js'
