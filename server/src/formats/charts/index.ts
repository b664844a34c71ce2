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
export { type ShownValue, type ValueLabels, valueLabels } from './values.js'
