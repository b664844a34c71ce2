import { translation } from '../catalogue'
import type en from '../en/people'

export default translation<typeof en>({
  find: 'Trouver une personne',
  you: 'vous',
  noneFound: 'Personne ne porte ce nom ici.',
  showMore: { one: 'En afficher {n} de plus', many: 'En afficher {n} de plus', other: 'En afficher {n} de plus' },
})
