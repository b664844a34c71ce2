import { translation } from '../catalogue'
import type en from '../en/register'

export default translation<typeof en>({
  title: 'Créer un compte',
  invited:
    'Utilisez l’adresse à laquelle votre invitation est arrivée : ce à quoi vous êtes invité est partagé avec elle.',
  name: 'Votre nom',
  username: 'Nom d’utilisateur',
  usernameHint: 'Il fait partie des adresses : lettres, chiffres, points, tirets et tirets bas.',
  email: 'Adresse e-mail',
  password: 'Mot de passe',
  passwordHint: { one: 'Au moins {n} caractère.', many: 'Au moins {n} caractères.', other: 'Au moins {n} caractères.' },
  make: 'Créer le compte',
  closed: 'L’inscription est fermée sur ce serveur. Demandez un compte à ceux qui le gèrent.',
  hasAccount: 'Vous avez un compte ? {link}',
  signIn: 'Se connecter',
  doneTitle: 'Il reste une étape',
  mailSent:
    'Un message est en route vers {email}. Ouvrez son lien pour montrer que l’adresse est la vôtre. Ce à quoi vous êtes invité sera alors partagé avec vous.',
  goOn: 'Continuer',
})
