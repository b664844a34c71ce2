import { translation } from '../catalogue'
import type en from '../en/grid'

export default translation<typeof en>({
  keys: 'Les flèches passent d’une cellule à l’autre, Entrée ouvre une ligne, Espace la coche. Dans l’en-tête, Entrée trie, Alt et flèche vers le bas ouvrent le menu de la colonne, Alt et flèches de côté l’élargissent ou la rétrécissent, Ctrl et Maj avec elles la déplacent.',
  tickAll: 'Tout choisir',
  menu: 'Menu de {column}',
  pin: 'Garder en vue',
  unpin: 'Laisser défiler',
  hide: 'Masquer',
  moveStart: 'Déplacer vers le début',
  moveEnd: 'Déplacer vers la fin',
  usualWidth: 'Largeur habituelle',
})
