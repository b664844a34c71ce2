import { english } from '../catalogue'

export default english('register', {
  title: 'Make an account',
  invited: 'Use the address that your invitation came to: what you were invited to is shared with it.',
  name: 'Your name',
  username: 'Username',
  usernameHint: 'Part of addresses: letters, digits, dots, dashes and underscores.',
  email: 'E-mail address',
  password: 'Password',
  passwordHint: { one: 'At least {n} character.', other: 'At least {n} characters.' },
  make: 'Make the account',
  closed: 'Registration is closed on this server. Ask those who run it for an account.',
  hasAccount: 'You have an account? {link}',
  signIn: 'Sign in',
  doneTitle: 'One step is left',
  mailSent:
    'A mail is on its way to {email}. Open its link to show that the address is yours. What you were invited to is shared with you then.',
  goOn: 'Go on',
})
