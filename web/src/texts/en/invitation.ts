import { english } from '../catalogue'

export default english('invitation', {
  title: 'You are invited',
  about: 'Somebody wants to share a project with you on this server.',
  aboutFor: 'Somebody wants to share a project with you. Make an account with {email}, and the project is there.',
  register: 'Make an account',
  signIn: 'I have an account',
  signedIn: 'You are signed in as {name}. What is shared with you is on your start page.',
  goOn: 'To the start page',
})
