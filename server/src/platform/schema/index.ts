export { type Static, type TSchema, Type } from './schema.js'
