import { english } from '../catalogue'

export default english('account-device-password', {
  title: 'Password for phones without https',
  about:
    'Over http a phone sends no password that could be read on the way; it signs in by Digest, with this password in place of yours. It sends records and fetches forms, and opens nothing else. A change of your own password ends it.',
  once: 'Copy it now: nobody can show it again, only replace it.',
  name: 'User name',
  devicePassword: 'Password for phones',
  hide: 'Hide it',
  since: 'There is one since {date}.',
  password: 'Your password',
  make: 'Make one',
  replace: 'Replace it',
  end: 'End it',
  endTitle: 'End the password for phones?',
  endAbout: 'Phones that use it cannot fetch forms or send records any more until they get a new one.',
  ended: 'The password for phones has ended',
})
