import { translation } from '../catalogue'
import type en from '../en/first-steps'

export default translation<typeof en>({
  title: 'Votre premier formulaire',
  about: 'Le serveur est prêt. Trois façons de commencer ; vous pourrez prendre les autres plus tard.',
  example: 'Regarder un exemple',
  exampleAbout:
    'Un projet avec un formulaire, quelques centaines de données, des photos et des lieux, pour tout essayer. Supprimez-le ensuite.',
  exampleMake: 'Créer l’exemple',
  exampleMaking:
    'Le serveur crée l’exemple : un formulaire, ses données et leurs photos. Cela prend quelques secondes.',
  exampleSince: { one: '{n} seconde écoulée', many: '{n} secondes écoulées', other: '{n} secondes écoulées' },
  exampleDone: {
    one: 'L’exemple est prêt, avec {n} donnée.',
    many: 'L’exemple est prêt, avec {n} données.',
    other: 'L’exemple est prêt, avec {n} données.',
  },
  table: 'Voir le tableau',
  map: 'Voir la carte',
  charts: 'Voir les graphiques',
  project: 'Ouvrir le projet',
  upload: 'Apporter un formulaire',
  uploadAbout: 'Vous avez un XLSForm : un fichier Excel avec des questions. Il va dans votre premier projet.',
  place: '{sheet}, ligne {row}',
  file: 'Choisir le XLSForm',
  fileHint: '.xlsx, .xls ou .csv',
  uploaded: '{title} est là',
  refused:
    'Le formulaire contient des erreurs. Rien n’a été enregistré ; corrigez-les et choisissez à nouveau le fichier.',
  empty: 'Commencer par un projet vide',
  emptyAbout: 'Un projet réunit des formulaires, leurs réponses et les personnes qui travaillent avec.',
  name: 'Nom du projet',
  make: 'Créer le projet',
  later: 'Passer cette étape',
})
