import { translation } from '../catalogue'
import type en from '../en/errors'

export default translation<typeof en>({
  offline: 'Le serveur est injoignable. Rien n’est perdu ; réessayez quand la connexion sera revenue.',
  offlineUnsure:
    'La connexion s’est interrompue avant la réponse du serveur. On ne sait pas si cela a été fait : vérifiez avant de réessayer.',
  slow: 'Le serveur a mis trop de temps à répondre. Réessayez dans un instant.',
  slowUnsure: 'Le serveur n’a pas répondu à temps. On ne sait pas si cela a été fait : vérifiez avant de réessayer.',
  expired: 'Vous n’êtes plus connecté.',
  forbidden: 'Vous n’avez pas le droit de faire cela ici.',
  missing: 'Cela n’existe pas, ou n’est pas partagé avec vous.',
  invalid: 'Une partie de ce qui a été envoyé n’est pas correcte.',
  conflict: 'Quelqu’un d’autre a modifié ceci entre-temps. Rechargez pour voir l’état actuel.',
  'too-large': 'C’est plus grand que ce que le serveur accepte.',
  busy: 'Le serveur est occupé. Réessayez dans un instant.',
  broken: 'Une erreur s’est produite sur le serveur. Ce n’est pas de votre faute ; réessayez dans un instant.',
})
