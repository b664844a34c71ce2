export { example } from './example.routes.js'
