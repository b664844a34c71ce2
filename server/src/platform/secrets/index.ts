export { acceptSecret, isMarked, isSecretOf, leaveMark } from './mark.js'
export { type PasswordCost, passwordCost } from './password-cost.js'
export {
  findSecret,
  hasSecret,
  keepSecret,
  loadOrMakeSecret,
  openSecrets,
  type Secrets,
  SecretUnreadable,
} from './secrets.js'
