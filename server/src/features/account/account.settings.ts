import { defineSettings, setting } from '../../platform/config/index.js'

export const accountSettings = defineSettings('Password reset', {
  maxResetMails: setting.integer('MAX_PASSWORD_RESET_ATTEMPTS', {
    default: 3,
    min: 1,
    max: 1000,
    doc: 'Reset mails to one address in one window; further requests are answered alike and send nothing.',
  }),
  resetWindowSeconds: setting.integer('PASSWORD_RESET_ATTEMPT_WINDOW', {
    default: 900,
    min: 1,
    max: 86_400,
    doc: 'Length of that window, in seconds.',
  }),
  resetLifetimeSeconds: setting.integer('PASSWORD_RESET_TOKEN_LIFETIME', {
    default: 259_200,
    min: 60,
    max: 2_592_000,
    doc: 'How long the link of a reset mail works, in seconds.',
  }),
})
