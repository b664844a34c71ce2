import { english } from '../catalogue'

export default english('account', {
  title: 'Your account',
  pages: 'Parts of your account',
  profile: 'Profile',
  password: 'Password',
  sessions: 'Signed in',
  token: 'API token',
  applications: 'Applications',
  look: 'Language and look',
  save: 'Save',
  saved: 'Saved',
  cancel: 'Cancel',
})
