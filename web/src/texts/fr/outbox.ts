import { translation } from '../catalogue'
import type en from '../en/outbox'

export default translation<typeof en>({
  title: 'Boîte d’envoi',
  about: 'Ce que vous avez rempli est conservé dans ce navigateur jusqu’à son arrivée.',
  outboxCount: {
    one: 'Boîte d’envoi, {n} formulaire',
    many: 'Boîte d’envoi, {n} formulaires',
    other: 'Boîte d’envoi, {n} formulaires',
  },
  newProgram: 'Nouvelle version : la charger',
  sendAll: 'Tout envoyer',
  sendNow: 'Envoyer maintenant',
  sendAs: 'Envoyer comme {name}',
  signIn: 'Se connecter',
  goOn: 'Continuer',
  open: 'Ouvrir',
  openOne: 'Ouvrir {name}',
  downloadOne: 'Télécharger {name}',
  discardOne: 'Supprimer {name}',
  discarded: '{name} a été supprimé.',
  undo: 'Annuler',
  waits: 'En attente d’envoi',
  drafts: 'Brouillons',
  sentLately: 'Envoyés récemment',
  draft: 'Brouillon',
  waiting: 'En attente',
  unsigned: 'Connexion nécessaire',
  refused: 'Non accepté',
  sent: 'Envoyé',
  untitled: 'Formulaire sans titre',
  isEdit: 'modification d’un enregistrement',
  noAccount: 'rempli sans compte',
  'why-soon': 'L’envoi se fait dans un instant.',
  'why-line': 'Il n’y a pas de connexion. L’envoi se fera tout seul dès qu’elle reviendra.',
  'why-busy': 'Le serveur ne peut pas le prendre pour le moment. Un nouvel essai se fera tout seul.',
  'why-crowded':
    'Trop d’envois sont venus de cette connexion à la fois. Il attend, et un nouvel essai se fera tout seul.',
  'why-space':
    'Le serveur n’a plus de place pour les fichiers. Il reste ici et un nouvel essai se fera tout seul ; prévenez la personne qui gère le serveur.',
  'why-unsigned': 'Votre session est terminée. Connectez-vous, et l’envoi se fera.',
  'why-account': 'Ce formulaire n’accepte que les réponses de personnes connectées.',
  'why-forbidden': 'Vous ne pouvez pas envoyer à ce formulaire. Demandez à son responsable, puis renvoyez.',
  'why-closed': 'Le formulaire est fermé pour le moment. Demandez à son responsable de l’ouvrir, puis renvoyez.',
  'why-ended':
    'Le lien par lequel il a été rempli a expiré. Demandez à la personne qui vous l’a donné de le prolonger, puis renvoyez, ou téléchargez-le.',
  'why-full':
    'Le lien par lequel il a été rempli a reçu toutes ses réponses. Demandez à la personne qui vous l’a donné d’augmenter sa limite, puis renvoyez, ou téléchargez-le.',
  'why-withdrawn':
    'Le lien ou la clé par lesquels il a été rempli ont été retirés. Téléchargez-le et montrez-le à la personne qui vous les a donnés.',
  'why-missing': 'Le formulaire n’existe plus, ou n’est plus partagé avec vous. Demandez à son responsable.',
  'why-stale': 'Quelqu’un d’autre a modifié cet enregistrement entre-temps. Ouvrez-le pour voir les deux.',
  'why-large':
    'C’est trop volumineux pour ce serveur. Ouvrez-le et retirez ou remplacez un gros fichier, ou téléchargez-le et montrez-le au responsable du formulaire.',
  'why-refused': 'Le serveur ne l’a pas accepté. Ouvrez-le pour le corriger, ou téléchargez-le.',
  serverSaid: 'Le serveur dit : {words}',
  next: 'Nouvel essai',
  uncertain: 'Il est peut-être déjà arrivé. On pourra l’ouvrir quand ce sera certain.',
  others: {
    one: '{n} formulaire d’une autre personne est conservé ici. Il est affiché et envoyé quand elle se connecte.',
    many: '{n} formulaires d’autres personnes sont conservés ici. Ils sont affichés et envoyés quand elles se connectent.',
    other:
      '{n} formulaires d’autres personnes sont conservés ici. Ils sont affichés et envoyés quand elles se connectent.',
  },
  empty: 'Rien n’attend ici',
  emptyAbout:
    'Les brouillons et les formulaires qui n’ont pas encore pu être envoyés sont affichés ici, même sans connexion.',
  toForms: 'Vers vos formulaires',
  storage: 'Dans ce navigateur',
  used: '{size} utilisés.',
  free: '{size} libres.',
  persistent: 'Le navigateur conserve tout cela jusqu’à ce que vous l’effaciez vous-même.',
  notPersistent:
    'Le navigateur peut effacer tout cela quand l’appareil manque de place, certains aussi après une semaine sans visite.',
  askToKeep: 'Demander au navigateur de le conserver',
  declined: 'Le navigateur n’a pas accepté. Il accepte souvent quand la page est installée ou visitée régulièrement.',
  privateWindow: 'Dans une fenêtre privée, tout disparaît à la fermeture de la fenêtre.',
  keepsNothing: 'Ce navigateur ne conserve rien. Ce que vous remplissez doit être envoyé avant de fermer la page.',
  opensNotOffline:
    'Sans https, les formulaires ne s’ouvrent qu’avec une connexion. Ce que vous saisissez est conservé quand même.',
  isSaved: 'Conservé dans ce navigateur',
  isSaving: 'Enregistrement…',
  isFull: 'Il n’y a plus de place',
  isFailed: 'Le navigateur n’a pas pu le conserver',
  notKept:
    'Vos dernières réponses ne sont que sur cette page. Libérez de la place, envoyez le formulaire maintenant, ou téléchargez ce que vous avez saisi.',
  downloadTyped: 'Télécharger ma saisie',
  isTaken: 'Vous continuez dans un autre onglet',
  isTakenAbout: 'Ce formulaire a été ouvert dans un autre onglet, avec tout ce que vous avez saisi ici.',
  takeBack: 'Continuer ici',
})
