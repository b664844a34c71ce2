import { english } from '../catalogue'

export default english('actions', {
  undo: 'Undo',
  undone: 'Taken back.',
})
