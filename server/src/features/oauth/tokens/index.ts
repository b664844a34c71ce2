export { bearerVerifier, oauthTokenHash } from './bearer.js'
export { publishedKeys } from './keys.js'
export { oauthJobs } from './tokens.jobs.js'
export {
  consumeToken,
  deleteGrantOf,
  deleteToken,
  findToken,
  insertToken,
  type TokenKey,
  type TokenKind,
} from './tokens.queries.js'
export { oauthSettings } from './tokens.settings.js'
