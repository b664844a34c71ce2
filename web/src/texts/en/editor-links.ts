import { english } from '../catalogue'

export default english('editor-links', {
  editor: 'Form editor',
  newForm: 'New form',
  newIn: 'New form in {project}',
  edit: 'Edit the form',
  editForm: 'Edit {form}',
})
