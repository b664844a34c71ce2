import { translation } from '../catalogue'
import type en from '../en/account-sessions'

export default translation<typeof en>({
  title: 'Où vous êtes connecté',
  about:
    'Les navigateurs qui vous connaissent. Terminez ce que vous ne reconnaissez pas, puis changez votre mot de passe.',
  this: 'Ce navigateur',
  browserOn: '{browser} sur {system}',
  unknown: 'Navigateur inconnu',
  seen: 'Dernière utilisation',
  since: 'Connexion : {date}',
  stays: 'reste connecté',
  end: 'Déconnecter',
  endOf: 'Déconnecter {browser}',
  ended: 'Déconnecté là-bas',
  endOthers: 'Se déconnecter partout ailleurs',
  othersEnded: 'Vous n’êtes plus connecté qu’ici',
})
