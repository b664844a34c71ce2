import { translation } from '../catalogue'
import type en from '../en/editor-links'

export default translation<typeof en>({
  editor: 'Editor de formularios',
  newForm: 'Formulario nuevo',
  newIn: 'Formulario nuevo en {project}',
  edit: 'Editar el formulario',
  editForm: 'Editar {form}',
})
