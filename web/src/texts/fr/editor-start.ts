import { translation } from '../catalogue'
import type en from '../en/editor-start'

export default translation<typeof en>({
  untitled: 'Formulaire sans titre',
  goOnTitle: '« {title} » n’est pas encore enregistré',
  goOnAbout: 'Ce navigateur a gardé votre saisie. Dernière saisie :',
  goOn: 'Continuer',
  dropWork: 'Jeter',
  blank: 'Partir de rien',
  blankAbout: 'Un formulaire vide. Ajoutez une question après l’autre et voyez le formulaire à côté.',
  upload: 'Ouvrir une feuille de calcul',
  uploadHint: 'Un XLSForm : .xlsx ou .csv. Les erreurs sont montrées à leur place, pour être corrigées ici.',
  templates: 'Partir d’un modèle',
  take: 'L’utiliser',
  look: 'Regarder dedans',
  questions: { one: '{n} question', many: '{n} questions', other: '{n} questions' },
  fromForm: 'Partir d’un autre formulaire',
  fromFormAbout: 'Une copie de ses questions. L’autre formulaire reste tel quel.',
  form: 'Formulaire',
  chooseForm: 'Choisissez un formulaire',
  copyOf: '{title} (copie)',
  noWorkbook: 'Ce formulaire n’a pas de feuille de calcul d’où partir.',
  fromLibrary: 'Partir de la bibliothèque de questions',
  fromLibraryAbout: 'Des questions que quelqu’un de ce projet a gardées.',
  finished: 'Publier un fichier terminé',
  finishedAbout: 'Un XLSForm ou XForm qui n’a pas besoin de changements est publié tout de suite.',
  oldExcel:
    'C’est un fichier de l’ancien Excel (.xls), que les navigateurs ne lisent pas. Ouvrez-le dans Excel ou LibreOffice, choisissez « Enregistrer sous », prenez .xlsx, et déposez ce fichier ici. Ou publiez le fichier tel quel : le serveur le lit.',
  publishFile: 'Publier un fichier',
  close: 'Fermer',
})
