import { translation } from '../catalogue'
import type en from '../en/grid'

export default translation<typeof en>({
  keys: 'As setas passam de uma célula a outra, Enter abre uma linha, Espaço marca-a. No cabeçalho, Enter ordena, Alt e seta para baixo abrem o menu da coluna, Alt e as setas laterais alargam-na ou estreitam-na, Ctrl e Shift com elas movem-na.',
  tickAll: 'Escolher tudo',
  menu: 'Menu de {column}',
  pin: 'Manter à vista',
  unpin: 'Deixar deslizar',
  hide: 'Ocultar',
  moveStart: 'Mover para o início',
  moveEnd: 'Mover para o fim',
  usualWidth: 'Largura habitual',
})
