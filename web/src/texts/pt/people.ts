import { translation } from '../catalogue'
import type en from '../en/people'

export default translation<typeof en>({
  find: 'Procurar uma pessoa',
  you: 'você',
  noneFound: 'Ninguém tem este nome aqui.',
  showMore: { one: 'Mostrar mais {n}', many: 'Mostrar mais {n}', other: 'Mostrar mais {n}' },
})
