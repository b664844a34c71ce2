import { english } from '../catalogue'

export default english('account-sessions', {
  title: 'Where you are signed in',
  about: 'Browsers that know you. End what you do not recognize, and change your password then.',
  this: 'This browser',
  browserOn: '{browser} on {system}',
  unknown: 'Unknown browser',
  seen: 'Last used',
  since: 'Signed in {date}',
  stays: 'stays signed in',
  end: 'Sign out',
  endOf: 'Sign out of {browser}',
  ended: 'Signed out there',
  endOthers: 'Sign out everywhere else',
  othersEnded: 'You are signed in here alone',
})
