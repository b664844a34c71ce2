import { translation } from '../catalogue'
import type en from '../en/account-look'

export default translation<typeof en>({
  about: 'De este dispositivo. Las preguntas de un formulario se muestran en los idiomas del formulario.',
})
