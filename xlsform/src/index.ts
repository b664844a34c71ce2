export { type CompiledForm, type CompileOptions, compile } from './compile.js'
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
export { parseXForm } from './parse/parse-xform.js'
export { formatProblem, type Problem, XlsFormError } from './problems.js'
