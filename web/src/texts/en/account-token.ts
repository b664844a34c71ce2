import { english } from '../catalogue'

export default english('account-token', {
  title: 'API token',
  about:
    'With it a program or a script reads and writes all that you may, without your password. Keep it as you keep your password.',
  password: 'Your password',
  passwordHint: 'Asked again, because whoever has the token needs no sign-in any more.',
  show: 'Show the token',
  hide: 'Hide it',
  permanent: 'Permanent token',
  temporary: 'Temporary token',
  try: 'For example, in a terminal',
  docs: 'What programs can do is described in {link}.',
  docsLink: 'the description of the API',
  renew: 'Replace it',
  renewTitle: 'Replace the token?',
  renewAbout: 'The old one ends at once: programs and scripts that use it stop working until they get the new one.',
  renewed: 'The token is replaced',
  cancel: 'Cancel',
})
