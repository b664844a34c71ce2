import { english } from '../catalogue'

export default english('fill-edit', {
  title: 'Change: {form}',
  about: 'You are changing a stored record.',
  conflict: 'Somebody else changed this record meanwhile',
  conflictAbout: 'Nothing of what you typed is lost. Choose what counts for each question.',
  conflictBy: '{name} did. Nothing of what you typed is lost. Choose what counts for each question.',
  same: 'Both have the same answers.',
  'side-mine': 'Yours',
  'side-theirs': 'As it is stored',
  empty: 'No answer',
  noEntry: 'This entry is not there',
  merge: 'Send with these choices',
  keepBoth: 'Keep both',
  drop: 'Discard mine',
  goOn: 'Go on filling in first',
  ways: 'Keep both stores yours as a record of its own. What is discarded can be taken back from the outbox for a while.',
  notLoaded: 'The stored record could not be loaded. Your change is kept.',
  notSent: 'It could not be sent. Your change is kept; try again.',
  tryAgain: 'Try again',
})
