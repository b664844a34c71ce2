import { translation } from '../catalogue'
import type en from '../en/editor-links'

export default translation<typeof en>({
  editor: 'Éditeur de formulaires',
  newForm: 'Nouveau formulaire',
  newIn: 'Nouveau formulaire dans {project}',
  edit: 'Modifier le formulaire',
  editForm: 'Modifier {form}',
})
