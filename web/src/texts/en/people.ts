import { english } from '../catalogue'

export default english('people', {
  find: 'Find a person',
  you: 'you',
  noneFound: 'Nobody here is called like this.',
  showMore: { one: 'Show {n} more', other: 'Show {n} more' },
})
