import { english } from '../catalogue'

export default english('account-password', {
  title: 'Change your password',
  about:
    'You stay signed in here. Everywhere else you are signed out, programs that you allowed lose access, and your API token is replaced.',
  current: 'Current password',
  wanted: 'New password',
  least: {
    one: 'At least {n} character, and none that you had before.',
    other: 'At least {n} characters, and none that you had before.',
  },
  change: 'Change the password',
  changed: 'The password is changed. You stay signed in here.',
})
