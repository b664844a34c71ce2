import { translation } from '../catalogue'
import type en from '../en/editor-merge'

export default translation<typeof en>({
  title: 'Quelqu’un a été plus rapide',
  overtaken: 'Le formulaire a été enregistré par quelqu’un d’autre depuis que vous l’avez ouvert.',
  overtakenAt: 'Il a été enregistré ou publié le {at}, après que vous l’avez ouvert.',
  overtakenBy: '{who} l’a enregistré le {at}, après que vous l’avez ouvert.',
  noRows: 'Ce qui s’y trouve maintenant est venu comme XForm et n’a pas de lignes à réunir.',
  theirChanges: { one: '{n} ligne y a changé', many: '{n} lignes y ont changé', other: '{n} lignes y ont changé' },
  'change-added': 'nouveau',
  'change-changed': 'changé',
  'change-removed': 'enlevé',
  noConflicts: 'Vos changements et les leurs vont ensemble.',
  conflicts: {
    one: '{n} endroit que vous avez changé tous les deux',
    many: '{n} endroits que vous avez changés tous les deux',
    other: '{n} endroits que vous avez changés tous les deux',
  },
  conflictsAbout: 'Choisissez ce qui reste. Le reste est réuni de soi-même.',
  conflictCell: '{sheet}, {row} : {column}',
  conflictRow: '{sheet} : « {row} » a été enlevé par l’un et changé par l’autre',
  conflictColumn: '{sheet} : la colonne {column} a été enlevée par l’un et changée par l’autre',
  conflictHeader: '{sheet} : la colonne {column} a reçu deux noms',
  conflictSheet: 'La feuille {sheet} a été enlevée par l’un et changée par l’autre',
  conflictOrder: '{sheet} : l’ordre a été changé des deux côtés. Le vôtre reste.',
  mine: 'Le vôtre :',
  theirs: 'Le leur :',
  empty: '(vide)',
  keepIt: 'garder',
  letItGo: 'enlever',
  draftGone:
    'Le brouillon a été supprimé entre-temps. Tout ce que vous avez ici reste ; l’enregistrer en fait un nouveau brouillon.',
  goOn: 'Continuer',
  'change-moved': 'déplacée',
  later: 'Plus tard',
  merge: 'Réunir les deux',
})
