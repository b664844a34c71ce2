import { translation } from '../catalogue'
import type en from '../en/editor-links'

export default translation<typeof en>({
  editor: 'Kihariri cha fomu',
  newForm: 'Fomu mpya',
  newIn: 'Fomu mpya katika {project}',
  edit: 'Hariri fomu',
  editForm: 'Hariri {form}',
})
