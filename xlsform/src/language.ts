// The language of forms as data: what an editor offers, explains and completes. Runs in browsers and in Node.
export { type CellKind, type FormColumn, formColumns } from './language/columns.js'
export { type Typing, typingAt } from './language/completion.js'
export { type FormFunction, type FunctionArgument, formFunctions } from './language/functions.js'
export {
  type ChoiceRow,
  choicesOf,
  languagesIn,
  listsOf,
  type OutlineRow,
  outlineOf,
  type QuestionAt,
  questionAt,
  type Use,
} from './language/outline.js'
export { type CellPlace, placeOf } from './language/place.js'
export { type QuestionType, questionTypes, type TypeGroup, type TypeParameter } from './language/question-types.js'
export { readTypeCell, type TypeCell } from './language/types.js'
