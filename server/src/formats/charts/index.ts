export {
  type BuiltinField,
  type ChartField,
  type ChartFields,
  chartFieldsOf,
  type DataType,
  type FieldSource,
  isGroupedBy,
  repeatsAround,
} from './fields.js'
export { counted, countText, type Figure, numberText, type Series, shareText, type Table } from './figure.js'
export { type TimeSpan, timeSpans } from './times.js'
export { type Labelled, type ShownValue, type ValueLabels, valueLabels } from './values.js'
