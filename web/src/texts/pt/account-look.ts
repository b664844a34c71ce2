import { translation } from '../catalogue'
import type en from '../en/account-look'

export default translation<typeof en>({
  about: 'Deste dispositivo. As perguntas de um formulário são mostradas nas línguas do formulário.',
})
