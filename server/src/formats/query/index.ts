export type { Comparison, Condition, Operand } from './condition.js'
export { QueryFault } from './fault.js'
export { parseQuery } from './parse.js'
export { parseFields, parseSort, type SortKey } from './sort.js'
export {
  type AnswerPlace,
  type AnswersOfForm,
  type BuiltinName,
  builtinKeys,
  type Target,
  type TypedCondition,
  type TypedOperand,
  targetOf,
  typed,
} from './typed.js'
export { hintFor, keysIn } from './unknown.js'
