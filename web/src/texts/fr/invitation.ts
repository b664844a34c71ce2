import { translation } from '../catalogue'
import type en from '../en/invitation'

export default translation<typeof en>({
  title: 'Vous êtes invité',
  about: 'Quelqu’un veut partager un projet avec vous sur ce serveur.',
  aboutFor: 'Quelqu’un veut partager un projet avec vous. Créez un compte avec {email}, et le projet sera là.',
  register: 'Créer un compte',
  signIn: 'J’ai un compte',
  signedIn: 'Vous êtes connecté en tant que {name}. Ce qui est partagé avec vous se trouve sur votre page d’accueil.',
  goOn: 'Vers la page d’accueil',
})
