// How bars are drawn, for the pages of the server and for the web application: plain functions, nothing of the server in them.
export { cleanLabel, wrapped } from './labels.js'
export { type Drawing, type DrawingStyle, type Layout, layoutOf, type Measure } from './layout.js'
