import { translation } from '../catalogue'
import type en from '../en/actions'

export default translation<typeof en>({
  undo: 'Deshacer',
  undone: 'Deshecho.',
})
