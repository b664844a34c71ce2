import { defineSettings, setting } from '../../platform/config/index.js'

export const profileSettings = defineSettings('Registration and e-mail verification', {
  mayNotRegister: setting.boolean('DISABLE_CREATING_USERS', {
    default: false,
    doc: 'Refuses registration over the API; `sheaf user create` still makes accounts.',
  }),
  areActiveAtOnce: setting.boolean('AUTO_ACTIVATE_NEW_USERS', {
    default: true,
    doc: 'Whether a new account may sign in at once; otherwise `sheaf user activate` opens it.',
  }),
  requireAuthByDefault: setting.boolean('REQUIRE_AUTH_BY_DEFAULT', {
    default: false,
    doc: '`require_auth` of a new profile that does not say.',
  }),
  requireAuthDefault: setting.boolean('REQUIRE_AUTH_DEFAULT', {
    default: false,
    doc: '`require_auth` of new accounts, organizations and forms that do not say: whether people sign in to submit. While neither a form nor its account asks for it, everybody who knows the address may send records to the form, also where it is not `public`.',
  }),
  isVerificationEnabled: setting.boolean('ENABLE_EMAIL_VERIFICATION', {
    default: false,
    doc: 'Whether addresses are verified by mail.',
  }),
  verifiedKeyText: setting.clearableText('VERIFIED_KEY_TEXT', {
    default: 'ALREADY_ACTIVATED',
    doc: 'What replaces a verification key once it is used. Without it the verification endpoints answer 204 and do nothing.',
  }),
  verificationUrl: setting.addressByHost('VERIFICATION_URL', {
    doc: 'Address that verification mails lead to; `verification_key` is added as a parameter. Without it the API itself.',
  }),
  maxVerificationMails: setting.integer('MAX_VERIFICATION_MAILS', {
    default: 5,
    min: 1,
    max: 1000,
    doc: 'Verification mails of one account, and to one address, in 15 minutes; beyond it 429.',
  }),
  activationDays: setting.integer('ACCOUNT_ACTIVATION_DAYS', {
    default: 1,
    min: 1,
    max: 365,
    doc: 'Lifetime of a verification key, in days.',
  }),
})
