import { translation } from '../catalogue'
import type en from '../en/grid'

export default translation<typeof en>({
  keys: 'Vitufe vya mishale husogea kati ya seli, Enter hufungua safu, Space huiteua. Kwenye kichwa, Enter hupanga, Alt na mshale wa chini hufungua menyu ya safuwima, Alt na mishale ya pembeni huipanua au kuibana, Ctrl na Shift pamoja nayo huihamisha.',
  tickAll: 'Chagua zote',
  menu: 'Menyu ya {column}',
  pin: 'Iendelee kuonekana',
  unpin: 'Iache isogee',
  hide: 'Ficha',
  moveStart: 'Hamisha kuelekea mwanzo',
  moveEnd: 'Hamisha kuelekea mwisho',
  usualWidth: 'Upana wa kawaida',
})
