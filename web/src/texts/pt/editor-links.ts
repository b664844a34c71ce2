import { translation } from '../catalogue'
import type en from '../en/editor-links'

export default translation<typeof en>({
  editor: 'Editor de formulários',
  newForm: 'Novo formulário',
  newIn: 'Novo formulário em {project}',
  edit: 'Editar o formulário',
  editForm: 'Editar {form}',
})
