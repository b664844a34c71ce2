import { translation } from '../catalogue'
import type en from '../en/check'

export default translation<typeof en>({
  title: 'Vérifier un formulaire',
  about: 'Déposez un XLSForm : vous voyez ce qui ne va pas, dans sa cellule, et le formulaire tel qu’il sera.',
  drop: 'Déposez le classeur ici, ou choisissez-le',
  hint: '.xlsx ou .csv ; un .xls doit d’abord être enregistré en .xlsx',
  examples: 'Pas de formulaire sous la main ?',
  exampleBroken: 'Un avec des erreurs',
  result: 'Résultat',
  checking: 'Vérification…',
  stop: 'Arrêter',
  stopped: 'Arrêté. Rien n’a été vérifié.',
  slow: 'Le fichier demande plus de 20 secondes et a été abandonné. Retirez les longues listes, ou mettez-les dans un fichier CSV du formulaire.',
  broken:
    'Le fichier n’a pas pu être vérifié. Il est peut-être endommagé : ouvrez-le dans un tableur, enregistrez-le et réessayez.',
  tooLarge:
    'Le fichier dépasse 64 Mo. Un formulaire est bien plus petit : retirez les images et les feuilles étrangères.',
  works: 'Le formulaire fonctionne. Il a {rows} lignes.',
  problems: { one: '{n} erreur à corriger', many: '{n} erreurs à corriger', other: '{n} erreurs à corriger' },
  warnings: { one: '{n} avertissement', many: '{n} avertissements', other: '{n} avertissements' },
  mistakes: 'Erreurs',
  warningList: 'Avertissements',
  firstOnly: 'Les {n} premiers sont affichés.',
  preview: 'Voir le formulaire',
  closePreview: 'Fermer le formulaire',
  download: 'Télécharger le XForm',
  downloadWorkbook: 'Télécharger en .xlsx',
  outline: {
    one: 'Ce qu’il demande : {n} ligne',
    many: 'Ce qu’il demande : {n} lignes',
    other: 'Ce qu’il demande : {n} lignes',
  },
  unknownType: 'inconnu',
  wholeForm: 'Tout le formulaire',
  placeRow: '{sheet}, ligne {row}',
  placeCell: '{sheet}, ligne {row}, colonne {column}',
  rowOf: 'Ligne {row}',
  meant: 'Ici : ',
  emptyCell: '(vide)',
  private:
    'Rien ne quitte votre navigateur : le fichier est lu et vérifié sur cet appareil, et n’est gardé nulle part.',
})
