import { translation } from '../catalogue'
import type en from '../en/account-device-password'

export default translation<typeof en>({
  title: 'Mot de passe pour les téléphones sans https',
  about:
    'En http, un téléphone n’envoie pas de mot de passe lisible en chemin ; il s’identifie par Digest, avec ce mot de passe au lieu du vôtre. Il envoie des enregistrements et récupère des formulaires, rien d’autre. Changer votre propre mot de passe y met fin.',
  once: 'Copiez-le maintenant : personne ne peut le montrer à nouveau, seulement le remplacer.',
  name: 'Nom d’utilisateur',
  devicePassword: 'Mot de passe pour les téléphones',
  hide: 'Le masquer',
  since: 'Il en existe un depuis le {date}.',
  password: 'Votre mot de passe',
  make: 'En créer un',
  replace: 'Le remplacer',
  end: 'Y mettre fin',
  endTitle: 'Mettre fin au mot de passe pour les téléphones ?',
  endAbout:
    'Les téléphones qui l’utilisent ne pourront plus récupérer de formulaires ni envoyer d’enregistrements avant d’en recevoir un nouveau.',
  ended: 'Le mot de passe pour les téléphones a pris fin',
})
