export { acceptSecret, isMarked, isSecretOf, leaveMark } from './mark.js'
export { hasSecret, loadOrMakeSecret, openSecrets, type Secrets, SecretUnreadable } from './secrets.js'
