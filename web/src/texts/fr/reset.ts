import { translation } from '../catalogue'
import type en from '../en/reset'

export default translation<typeof en>({
  title: 'Un nouveau mot de passe',
  about: 'Donnez l’adresse e-mail de votre compte. Un message avec un lien y sera envoyé.',
  email: 'Adresse e-mail',
  send: 'Envoyer le message',
  sent: 'Si {email} appartient à un compte, un message est en route. Son lien fonctionne un certain temps, et une seule fois.',
  newTitle: 'Choisir un nouveau mot de passe',
  newFor: 'Pour le compte de {name}.',
  newPassword: 'Nouveau mot de passe',
  set: 'Définir le mot de passe et se connecter',
  linkOld: 'Ce lien ne fonctionne plus : il a servi, ou il est trop ancien. Demandez-en un nouveau.',
  askAgain: 'Demander un nouveau message',
  signIn: 'Retour à la connexion',
})
