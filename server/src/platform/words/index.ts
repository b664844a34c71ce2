export { booleanOf, isWebAddress } from './words.js'
