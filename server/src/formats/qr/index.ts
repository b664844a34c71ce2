export { type Code, codeOf, longestText, TextTooLong } from './code.js'
export { pngOf } from './png.js'
export { svgOf } from './svg.js'
