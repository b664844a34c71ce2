export { type Verification, verify } from './verification.js'
