export { type Answer, type Answers, answersOf, valuesAt, valuesOf, type Whereabouts, whereaboutsOf } from './answers.js'
export { durationOf, encryptedMediaOf, factKeys, mediaOf, type Place, placeOf, placeOfRecord } from './facts.js'
export { type Element, InstanceMalformed, parseInstance, parseInstanceInTurns, textAt } from './tree.js'
