import type { QueuedMail } from '../../platform/mail-queue/index.js'

export const lockoutMail = (to: string, username: string, minutes: number): QueuedMail => ({
  to,
  subject: 'Your account was locked',
  text: `Hello ${username},

somebody entered a wrong password for your account too often. Signing in with your password from that place is
locked for ${minutes} minutes. Other places are not affected.

If it was you, wait or reset your password. If it was not you, no action is needed: your password was not guessed.
`,
})

export const lockoutEndedMail = (to: string, username: string): QueuedMail => ({
  to,
  subject: 'Your account is open again',
  text: `Hello ${username},

the lock on signing in to your account has ended. You can sign in again.
`,
})

export const passwordChangedMail = (to: string, username: string): QueuedMail => ({
  to,
  subject: 'Your password was changed',
  text: `Hello ${username},

the password of your account was changed. Every token that was in use has ended.

If it was not you, reset your password at once.
`,
})
