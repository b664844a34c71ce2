import { translation } from '../catalogue'
import type en from '../en/actions'

export default translation<typeof en>({
  undo: 'تراجع',
  undone: 'تم التراجع.',
})
