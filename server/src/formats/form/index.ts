export { type BuiltinName, builtinNames } from './builtins.js'
export { type Field, type FormFields, fieldsOf, localName, type RepeatField, type ValueKind } from './fields.js'
