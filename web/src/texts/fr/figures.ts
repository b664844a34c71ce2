import { translation } from '../catalogue'
import type en from '../en/figures'

export default translation<typeof en>({
  answer: 'Réponse',
  count: 'Nombre',
  share: 'Part',
  records: 'Enregistrements',
  noAnswer: 'Sans réponse',
  otherGroups: 'Autres',
  sum: 'Somme',
  mean: 'Moyenne',
  median: 'Médiane',
  least: 'Minimum',
  most: 'Maximum',
  empty: 'Pas encore de réponse.',
  allDifferent: {
    one: '{n} réponse.',
    many: '{n} réponses, toutes différentes.',
    other: '{n} réponses, toutes différentes.',
  },
  unanswered: { one: '{n} sans réponse.', many: '{n} sans réponse.', other: '{n} sans réponse.' },
  several: 'Plusieurs choix étaient possibles : le total des parts peut dépasser 100 %.',
  week: 'Chaque barre représente une semaine.',
  month: 'Chaque barre représente un mois.',
  year: 'Chaque barre représente une année.',
  noNumbers: {
    one: '{n} réponse n’est pas un nombre.',
    many: '{n} réponses ne sont pas des nombres.',
    other: '{n} réponses ne sont pas des nombres.',
  },
  noDates: {
    one: '{n} date n’existe pas dans le calendrier.',
    many: '{n} dates n’existent pas dans le calendrier.',
    other: '{n} dates n’existent pas dans le calendrier.',
  },
  left: {
    one: '{n} valeur plus rare n’est pas affichée.',
    many: '{n} valeurs plus rares ne sont pas affichées.',
    other: '{n} valeurs plus rares ne sont pas affichées.',
  },
  places: { one: 'Carte avec {shown} lieu', many: 'Carte avec {shown} lieux', other: 'Carte avec {shown} lieux' },
  table: 'Afficher les chiffres',
  tableOf: 'Chiffres : {title}',
  spoken: '{title}. Barres : {values}. Les flèches du clavier lisent chaque barre.',
})
