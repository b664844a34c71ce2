import { translation } from '../catalogue'
import type en from '../en/invitation'

export default translation<typeof en>({
  title: 'Vous êtes invité',
  about: 'Quelqu’un veut partager un projet avec vous sur ce serveur.',
  aboutFor: 'Quelqu’un veut partager un projet avec vous. Créez un compte avec {email}, et le projet sera là.',
  offer: '{who} vous invite au projet',
  mayRead: 'Vous pourrez lire ses données.',
  maySend: 'Vous pourrez remplir ses formulaires.',
  mayEdit: 'Vous pourrez remplir ses formulaires et modifier ses données.',
  mayManage: 'Vous pourrez gérer ses formulaires, ses données et ses membres.',
  accept: 'Accepter en tant que {name}',
  another: 'Utiliser un autre compte',
  accepted: 'Vous avez accepté. Le projet est partagé avec vous.',
  open: 'Ouvrir le projet',
  closed:
    'Les inscriptions sont fermées sur ce serveur. Connectez-vous avec un compte existant, ou demandez-en un à ceux qui le gèrent.',
  over: 'Cette invitation n’est plus valable : elle a été retirée, ou quelqu’un l’a utilisée. Demandez-en une nouvelle.',
  register: 'Créer un compte',
  signIn: 'J’ai un compte',
  signedIn: 'Vous êtes connecté en tant que {name}. Ce qui est partagé avec vous se trouve sur votre page d’accueil.',
  goOn: 'Vers la page d’accueil',
})
