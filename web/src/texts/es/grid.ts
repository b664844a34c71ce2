import { translation } from '../catalogue'
import type en from '../en/grid'

export default translation<typeof en>({
  keys: 'Las flechas van de una celda a otra, Intro abre una fila, Espacio la marca. En la cabecera, Intro ordena, Alt y flecha abajo abren el menú de la columna, Alt y las flechas laterales la ensanchan o estrechan, Ctrl y Mayús con ellas la mueven.',
  tickAll: 'Elegir todo',
  menu: 'Menú de {column}',
  pin: 'Mantener a la vista',
  unpin: 'Dejar que se desplace',
  hide: 'Ocultar',
  moveStart: 'Mover hacia el principio',
  moveEnd: 'Mover hacia el final',
  usualWidth: 'Ancho habitual',
})
