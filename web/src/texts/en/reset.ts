import { english } from '../catalogue'

export default english('reset', {
  title: 'A new password',
  about: 'Tell us the e-mail address of your account. A mail with a link comes to it.',
  email: 'E-mail address',
  send: 'Send the mail',
  sent: 'If {email} belongs to an account, a mail is on its way to it. Its link works for a while, and once.',
  newTitle: 'Choose a new password',
  newFor: 'For the account of {name}.',
  newPassword: 'New password',
  set: 'Set the password and sign in',
  linkOld: 'This link does not work any more: it was used, or it is too old. Ask for a new one.',
  askAgain: 'Ask for a new mail',
  signIn: 'Back to signing in',
})
