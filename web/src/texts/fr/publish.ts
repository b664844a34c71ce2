import { translation } from '../catalogue'
import type en from '../en/publish'

export default translation<typeof en>({
  title: 'Importer un formulaire',
  drop: 'Déposez un XLSForm ici, ou choisissez un fichier',
  dropMended: 'Déposez ici le fichier corrigé, ou choisissez-le',
  kinds: 'Excel (.xlsx, .xls), CSV ou un XForm (.xml)',
  checking: 'Le formulaire est en cours de vérification…',
  refusedTitle: {
    one: '{n} point à corriger dans {file}',
    many: '{n} points à corriger dans {file}',
    other: '{n} points à corriger dans {file}',
  },
  refusedAbout: 'Rien n’a été enregistré. Corrigez votre fichier et importez-le de nouveau ici même.',
  refusedOther: '{file} n’a pas pu être accepté',
  place: 'Où',
  problem: 'Ce qui ne va pas',
  sheet: 'Feuille {sheet}',
  row: 'ligne {row}',
  column: 'colonne {column}',
  value: 'Il y est écrit « {value} ».',
  more: { one: 'et {n} autre', many: 'et {n} autres', other: 'et {n} autres' },
  doneTitle: '« {title} » est publié',
  takenId: 'Un autre formulaire a déjà cet identifiant ici ; celui-ci a donc reçu « {id} ».',
  warningsTitle: { one: '{n} point à regarder', many: '{n} points à regarder', other: '{n} points à regarder' },
  warningsAbout: 'Le formulaire fonctionne. Vous voudrez peut-être quand même regarder ceci :',
  open: 'Ouvrir le formulaire',
  another: 'En importer un autre',
  close: 'Fermer',
})
