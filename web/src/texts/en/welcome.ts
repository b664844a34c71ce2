import { english } from '../catalogue'

export default english('welcome', {
  title: 'Welcome',
  headline: 'Forms out, answers in, all in one place',
  lead: 'This server collects data in the field, also without a connection, and lets teams read, review, map, chart and share it.',
  signIn: 'Sign in',
  register: 'Make an account',
  collect: 'Collect anywhere',
  collectAbout: 'With ODK Collect on phones, or in a browser. What was filled in without a line is sent later, once.',
  read: 'Read and review',
  readAbout: 'Every record in a table that sorts, filters and searches, with its history.',
  see: 'See where',
  seeAbout: 'Places on a map, photos on a wall, answers as charts that count themselves.',
  share: 'Share with care',
  shareAbout: 'By project, with roles, and always with a word on who can see what.',
  docs: 'Read and try the API',
})
