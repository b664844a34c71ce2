import { translation } from '../catalogue'
import type en from '../en/verify'

export default translation<typeof en>({
  title: 'Votre adresse e-mail',
  about: 'Un clic montre que les messages à cette adresse vous parviennent.',
  verify: 'Oui, c’est mon adresse',
  done: 'Merci, {name}. Votre adresse est vérifiée, et ce à quoi vous êtes invité est partagé avec vous.',
  linkOld: 'Ce lien ne fonctionne plus : il a servi, ou il est trop ancien. Demandez-en un nouveau dans votre compte.',
  noKey: 'Il manque la clé à cette adresse. Ouvrez le lien du message en entier.',
  signIn: 'Se connecter',
  goOn: 'Continuer',
})
