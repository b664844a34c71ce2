export { loadOrMakeSecret, openSecrets, type Secrets } from './secrets.js'
