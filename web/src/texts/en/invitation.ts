import { english } from '../catalogue'

export default english('invitation', {
  title: 'You are invited',
  about: 'Somebody wants to share a project with you on this server.',
  aboutFor: 'Somebody wants to share a project with you. Make an account with {email}, and the project is there.',
  offer: '{who} invites you to the project',
  mayRead: 'You can read its data.',
  maySend: 'You can fill in its forms.',
  mayEdit: 'You can fill in its forms and edit its data.',
  mayManage: 'You can manage its forms, its data and its people.',
  accept: 'Accept as {name}',
  another: 'Use another account',
  accepted: 'You have accepted. The project is shared with you.',
  open: 'Open the project',
  closed:
    'Registration is closed on this server. Sign in with an account that you have, or ask those who run it for one.',
  over: 'This invitation is not valid any more: it was taken back, or somebody has used it. Ask for a new one.',
  register: 'Make an account',
  signIn: 'I have an account',
  signedIn: 'You are signed in as {name}. What is shared with you is on your start page.',
  goOn: 'To the start page',
})
