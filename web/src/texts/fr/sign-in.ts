import { translation } from '../catalogue'
import type en from '../en/sign-in'

export default translation<typeof en>({
  title: 'Se connecter',
  username: 'Nom d’utilisateur ou adresse e-mail',
  password: 'Mot de passe',
  stay: 'Rester connecté',
  stayHint: 'Pendant {time}, sur cet appareil. Pas sur un appareil que d’autres utilisent.',
  signIn: 'Se connecter',
  wrong: 'Le nom ou le mot de passe n’est pas correct.',
  forgotten: 'Mot de passe oublié ?',
  noAccount: 'Pas encore de compte ? {link}',
  register: 'En créer un',
  or: 'ou',
  with: 'Se connecter avec {provider}',
  connecting:
    'Votre fournisseur vous connaît. Connectez-vous une fois ici avec votre mot de passe, et les deux seront liés.',
})
