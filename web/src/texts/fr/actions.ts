import { translation } from '../catalogue'
import type en from '../en/actions'

export default translation<typeof en>({
  undo: 'Annuler',
  undone: 'Annulé.',
})
