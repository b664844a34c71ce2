import { translation } from '../catalogue'
import type en from '../en/fill-edit'

export default translation<typeof en>({
  title: 'Modifier : {form}',
  about: 'Vous modifiez un enregistrement.',
  conflict: 'Quelqu’un d’autre a modifié cet enregistrement entre-temps',
  conflictAbout: 'Rien de ce que vous avez saisi n’est perdu. Choisissez pour chaque question ce qui compte.',
  conflictBy:
    'C’est {name}. Rien de ce que vous avez saisi n’est perdu. Choisissez pour chaque question ce qui compte.',
  gone: 'Cet enregistrement n’est plus là',
  goneAbout:
    'Quelqu’un l’a supprimé entre-temps, ou vous ne pouvez plus le voir. Rien de ce que vous avez saisi n’est perdu.',
  storeAnew: 'Enregistrer comme nouveau',
  same: 'Les deux ont les mêmes réponses.',
  'side-mine': 'La vôtre',
  'side-theirs': 'Enregistrée',
  empty: 'Pas de réponse',
  noEntry: 'Cette entrée n’existe pas',
  merge: 'Envoyer avec ces choix',
  keepBoth: 'Garder les deux',
  drop: 'Abandonner la mienne',
  goOn: 'Continuer d’abord à remplir',
  ways: '« Garder les deux » enregistre la vôtre à part. Ce qui est abandonné peut être repris un temps dans la boîte d’envoi.',
  notLoaded: 'L’enregistrement n’a pas pu être chargé. Votre modification est gardée.',
  notSent: 'Impossible de l’envoyer. Votre modification est gardée ; réessayez.',
  tryAgain: 'Réessayer',
})
