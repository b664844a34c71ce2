import { translation } from '../catalogue'
import type en from '../en/people'

export default translation<typeof en>({
  find: 'Buscar una persona',
  you: 'usted',
  noneFound: 'Nadie se llama así aquí.',
  showMore: { one: 'Mostrar {n} más', many: 'Mostrar {n} más', other: 'Mostrar {n} más' },
})
