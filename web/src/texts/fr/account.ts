import { translation } from '../catalogue'
import type en from '../en/account'

export default translation<typeof en>({
  title: 'Votre compte',
  pages: 'Parties de votre compte',
  profile: 'Profil',
  password: 'Mot de passe',
  sessions: 'Connexions',
  token: 'Jeton d’API',
  applications: 'Applications',
  look: 'Langue et apparence',
  save: 'Enregistrer',
  saved: 'Enregistré',
  cancel: 'Annuler',
})
