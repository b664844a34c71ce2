export { type NamedFile, namedFiles } from './files.queries.js'
export { findChangedSecret, secretWarning } from './secret.js'
export { type Verification, verify } from './verification.js'
