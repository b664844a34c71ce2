import { defineSettings, setting } from '../../platform/config/index.js'

export const credentialSettings = defineSettings('Passwords, tokens and lockout', {
  minPasswordLength: setting.integer('PASSWORD_MIN_LENGTH', {
    default: 4,
    min: 4,
    max: 128,
    doc: 'Shortest password that registration, change and reset accept. The longest is 128.',
  }),
  maxLoginAttempts: setting.integer('MAX_LOGIN_ATTEMPTS', {
    default: 10,
    min: 1,
    max: 1000,
    doc: 'Wrong passwords from one address for one account, after which that address is locked out of that account.',
  }),
  lockoutSeconds: setting.integer('LOCKOUT_TIME', {
    default: 1800,
    min: 1,
    max: 604_800,
    doc: 'How long a lockout lasts, in seconds; also the age at which failures are forgotten.',
  }),
  failuresPerAddress: setting.integer('MAX_LOGIN_FAILURES_PER_ADDRESS', {
    default: 500,
    min: 1,
    max: 1_000_000,
    doc: 'Wrong passwords from one address for all accounts together in 15 minutes; beyond it 429.',
  }),
  maxChangeAttempts: setting.integer('MAX_CHANGE_PASSWORD_ATTEMPTS', {
    default: 10,
    min: 1,
    max: 1000,
    doc: 'Wrong current passwords after which changing the password is locked for LOCKOUT_TIME.',
  }),
  isTempTokenEnabled: setting.boolean('ENABLE_TEMP_TOKEN', {
    default: true,
    doc: 'Whether temporary tokens are handed out and accepted.',
  }),
  isDigestEnabled: setting.boolean('ENABLE_DIGEST', {
    default: false,
    doc: 'Whether devices may sign in by Digest on the OpenRosa addresses, where they come without https. Each account uses a password of its own for it (`POST /api/v1/user/device_password`); SECURITY.md says what it costs.',
  }),
  tempTokenLifetimeSeconds: setting.integer('DEFAULT_TEMP_TOKEN_EXPIRY_TIME', {
    default: 21_600,
    min: 1,
    max: 31_536_000,
    doc: 'Lifetime of a temporary token, in seconds. Use does not extend it.',
  }),
  requestsPerAddress: setting.integer('CREDENTIAL_REQUESTS_PER_ADDRESS', {
    default: 100,
    min: 1,
    max: 1_000_000,
    doc: 'Password reset requests, refused registrations, invitations and changes of name or address, and wrong reset tokens, verification keys, setup codes or secrets of one OAuth client, from one address in 15 minutes; beyond it 429. Each is counted for itself.',
  }),
})
