import { translation } from '../catalogue'
import type en from '../en/editor-links'

export default translation<typeof en>({
  editor: 'محرر النماذج',
  newForm: 'نموذج جديد',
  newIn: 'نموذج جديد في {project}',
  edit: 'تعديل النموذج',
  editForm: 'تعديل {form}',
})
