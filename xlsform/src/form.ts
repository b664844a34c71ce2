// Forms as plain data, and what is wrong with them: loading it loads no compiler.
export {
  choicesIn,
  type FormModel,
  inlineChoicesOf,
  type ModelChoice,
  type ModelChoiceList,
  type ModelEntity,
  type ModelGroup,
  type ModelMedia,
  type ModelNode,
  type ModelQuestion,
  type ModelText,
  walkModel,
} from './model/model.js'
export { didYouMean } from './nearest.js'
export { formatProblem, type Problem, XlsFormError } from './problems.js'
