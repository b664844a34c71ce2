export { findChangedSecret, secretWarning } from './secret.js'
export { type Verification, verify } from './verification.js'
