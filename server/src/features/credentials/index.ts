export {
  countGuess,
  limitAddressGuesses,
  limitAddressSearches,
  limitByAddress,
  limitGuesses,
  limitRegistrations,
  refuseGuesses,
} from './address-limit.js'
export { type AttemptKey, countAttempt } from './attempts.queries.js'
export { authenticator, type BearerVerifier, namesIn } from './authenticate.js'
export { confirmPassword } from './confirm-password.js'
export { changeBreaksRules, changeRefused, credentialReplaced, invalidBearer } from './credentials.errors.js'
export { credentialJobs } from './credentials.jobs.js'
export { createCredentials, setActive, setPassword, tellOfChange } from './credentials.service.js'
export { credentialSettings } from './credentials.settings.js'
export { renewDevicePassword } from './device-passwords.js'
export { deleteDevicePassword, findDevicePassword } from './device-passwords.queries.js'
export { deviceDoor } from './digest-login.js'
export { countMails, limitMails } from './mail-limits.js'
export { type LogIn, passwordLogin } from './password-login.js'
export { deleteResets, insertReset, isValidReset, takeReset } from './password-resets.queries.js'
export { hashPassword, isAnyPassword, maxPasswordLength, passwordLength } from './passwords.js'
export { findPasswordHash, listFormerHashes, lockAccount } from './passwords.queries.js'
export {
  deleteSpentSignIns,
  endAllSignIns,
  endOwnSignIn,
  endSignIn,
  findSignIn,
  insertSignIn,
  type ListedSignIn,
  listSignIns,
  renewSignIn,
  type SignIn,
  type SignInPlace,
} from './sign-ins.queries.js'
export { type LastingCredential, stillSignedIn } from './still-signed-in.queries.js'
export { currentToken, type KnownToken, openToken, renewToken } from './tokens.js'
export { deleteToken } from './tokens.queries.js'
