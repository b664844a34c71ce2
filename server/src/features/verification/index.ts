export { type NamedFile, namedFiles } from './files.queries.js'
export { findChangedSecret, secretWarning } from './secret.js'
export { type Verification, verify, withoutSecret } from './verification.js'
