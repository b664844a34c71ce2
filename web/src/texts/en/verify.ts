import { english } from '../catalogue'

export default english('verify', {
  title: 'Your e-mail address',
  about: 'One press shows that mails to this address reach you.',
  verify: 'Yes, this is my address',
  done: 'Thank you, {name}. Your address is verified, and what you were invited to is shared with you.',
  linkOld: 'This link does not work any more: it was used, or it is too old. Ask for a new one in your account.',
  noKey: 'This address lacks its key. Open the link of the mail, the whole of it.',
  signIn: 'Sign in',
  goOn: 'Go on',
})
