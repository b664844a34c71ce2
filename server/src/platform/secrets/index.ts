export { loadOrMakeSecret, openSecrets, type Secrets, SecretUnreadable } from './secrets.js'
