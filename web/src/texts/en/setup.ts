import { english } from '../catalogue'

export default english('setup', {
  title: 'Welcome to Sheaf',
  about: 'This server is new. Make the first account: it is yours, and it looks after the server.',
  code: 'Code',
  codeHint: 'The server printed it when it started, where you can read what it prints.',
  make: 'Make the first account',
  done: 'The first account is made already.',
  signIn: 'Sign in',
})
