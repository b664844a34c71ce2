import { translation } from '../catalogue'
import type en from '../en/editor-library'

export default translation<typeof en>({
  keepTitle: 'Garder des questions pour d’autres formulaires',
  keepAbout: 'Elles vont dans la bibliothèque de questions de ce projet, avec leurs choix.',
  insertTitle: 'Insérer des questions',
  insertAbout: 'Elles viennent après la ligne du curseur, avec leurs choix.',
  name: 'Nom',
  nameHint: 'Comme « Âge et sexe » ou « Consentement ».',
  pick: 'Quelles questions ?',
  keep: 'Garder',
  kept: '« {name} » est dans la bibliothèque',
  from: 'D’où',
  library: 'Bibliothèque de questions',
  otherForms: 'Un autre formulaire',
  emptyTitle: 'La bibliothèque est vide',
  emptyAbout: 'Gardez-y des questions d’un formulaire, et le suivant les a sous la main.',
  questions: { one: '{n} question', many: '{n} questions', other: '{n} questions' },
  insert: 'Insérer',
  inserted: { one: '{n} ligne insérée', many: '{n} lignes insérées', other: '{n} lignes insérées' },
  removeOne: 'Enlever « {name} » de la bibliothèque',
  removed: '« {name} » n’est plus dans la bibliothèque',
  form: 'Formulaire',
  chooseForm: 'Choisissez un formulaire',
  noWorkbook: 'Ce formulaire n’a pas de feuille de calcul d’où prendre des questions.',
  close: 'Fermer',
})
