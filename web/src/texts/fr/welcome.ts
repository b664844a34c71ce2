import { translation } from '../catalogue'
import type en from '../en/welcome'

export default translation<typeof en>({
  title: 'Bienvenue',
  headline: 'Des formulaires qui partent, des réponses qui arrivent, au même endroit',
  lead: 'Ce serveur collecte des données sur le terrain, aussi sans connexion, et permet aux équipes de les lire, vérifier, cartographier, représenter et partager.',
  signIn: 'Se connecter',
  register: 'Créer un compte',
  collect: 'Collecter partout',
  collectAbout:
    'Avec ODK Collect sur téléphone, ou dans un navigateur. Ce qui est rempli sans réseau est envoyé plus tard, une seule fois.',
  read: 'Lire et vérifier',
  readAbout: 'Chaque réponse dans un tableau qui trie, filtre et recherche, avec son histoire.',
  see: 'Voir où',
  seeAbout: 'Les lieux sur une carte, les photos sur un mur, les réponses en graphiques qui se comptent seuls.',
  share: 'Partager avec soin',
  shareAbout: 'Par projet, avec des rôles, et toujours en disant qui peut voir quoi.',
  docs: 'Lire et essayer l’API',
})
