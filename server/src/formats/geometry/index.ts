export { firstAnswer } from './first-answer.js'
export { type Geometry, geometryIn, type Notation, positionsOf } from './geometry.js'
