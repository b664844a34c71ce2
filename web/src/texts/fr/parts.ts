import { translation } from '../catalogue'
import type en from '../en/parts'

export default translation<typeof en>({
  close: 'Fermer',
  cancel: 'Annuler',
  copy: 'Copier',
  copied: 'Copié',
  optional: 'facultatif',
  loading: 'Chargement',
  tryAgain: 'Réessayer',
  toStart: 'Retour à l’accueil',
  nothingFound: 'Aucun résultat',
  showPassword: 'Afficher le mot de passe',
  hidePassword: 'Masquer le mot de passe',
  typeToConfirm: 'Tapez « {word} » pour confirmer',
  fileOfSize: '{name}, {size}',
  missingTitle: 'Il n’y a rien ici',
  forbiddenTitle: 'Ceci ne vous est pas ouvert',
  offlineTitle: 'Pas de connexion',
  brokenTitle: 'Cela n’a pas fonctionné',
  partsTitle: 'Une partie de cette page n’a pas pu être chargée',
  seenByAll: 'Tout le monde peut voir ceci',
  seenByShared: 'Seulement les personnes avec qui c’est partagé',
  seenByYou: 'Vous seul',
  seenByPeople: { one: 'Vous et {n} autre', many: 'Vous et {n} autres', other: 'Vous et {n} autres' },
})
