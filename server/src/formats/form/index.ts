export { type Field, type FormFields, fieldsOf, type RepeatField, type ValueKind } from './fields.js'
