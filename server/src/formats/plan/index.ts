export { differencesOf, type FormDifferences } from './differences.js'
export { keepsConstraint } from './evaluate.js'
export { patternOf } from './type-patterns.js'
export { type Constraint, NotEvaluated, parseConstraint } from './xpath.js'
