// Answers to questions as values that are compared, sorted and indexed.
export { flushAsked, kindsOf, noteAsked } from './asked.js'
export {
  answerAt,
  comparedCharacters,
  dayValue,
  foldedValue,
  type IndexKind,
  indexKinds,
  isShort,
  literally,
  momentValue,
  numberValue,
  textValue,
} from './values.queries.js'
