export { type BuiltinName, builtinNames, deviceNames } from './builtins.js'
export { type Field, type FormFields, fieldsOf, localName, type RepeatField, type ValueKind } from './fields.js'
