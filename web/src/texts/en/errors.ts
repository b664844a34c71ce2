import { english } from '../catalogue'

export default english('errors', {
  offline: 'The server cannot be reached. Nothing is lost; try again when the connection is back.',
  offlineUnsure:
    'The connection broke off before the server answered. It is not known whether this was done: look before you try again.',
  slow: 'The server took too long to answer. Try again in a moment.',
  slowUnsure: 'The server did not answer in time. It is not known whether this was done: look before you try again.',
  expired: 'You are not signed in any more.',
  forbidden: 'You may not do this here.',
  missing: 'This does not exist, or it is not shared with you.',
  invalid: 'Something that was sent is not right.',
  conflict: 'Somebody else changed this in the meantime. Load it again to see what is there now.',
  'too-large': 'This is larger than the server takes.',
  busy: 'The server is busy. Try again in a moment.',
  broken: 'Something went wrong on the server. It is not your fault; try again in a moment.',
})
