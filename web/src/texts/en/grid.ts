import { english } from '../catalogue'

export default english('grid', {
  keys: 'Arrow keys move between cells, Enter opens a row, Space ticks it. In the head, Enter sorts, Alt with the down arrow opens the menu of the column, Alt with the arrows to the sides makes it wider or narrower, Control and Shift with them move it.',
  tickAll: 'Choose all',
  menu: 'Menu of {column}',
  pin: 'Keep in sight',
  unpin: 'Let it scroll',
  hide: 'Hide',
  moveStart: 'Move towards the start',
  moveEnd: 'Move towards the end',
  usualWidth: 'Usual width',
})
