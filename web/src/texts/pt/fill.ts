import { translation } from '../catalogue'
import type en from '../en/fill'

export default translation<typeof en>({
  sheaf: 'Sheaf',
  home: 'Página inicial do Sheaf',
  offline: 'Sem ligação',
  nowhere: 'Não há nada neste endereço. Verifique se o link está completo.',
  broken: 'Algo correu mal nesta página. Carregue-a de novo; o que foi guardado neste dispositivo permanece.',
})
