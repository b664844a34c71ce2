import { english } from '../catalogue'

export default english('sign-in', {
  title: 'Sign in',
  username: 'Username or e-mail address',
  password: 'Password',
  stay: 'Stay signed in',
  stayHint: 'For {time}, on this device. Not on one that others use.',
  signIn: 'Sign in',
  wrong: 'The name or the password is not right.',
  forgotten: 'Forgotten your password?',
  noAccount: 'No account yet? {link}',
  register: 'Make one',
  or: 'or',
  with: 'Sign in with {provider}',
  connecting: 'Your provider knows you. Sign in once with your password here, and both belong together.',
})
