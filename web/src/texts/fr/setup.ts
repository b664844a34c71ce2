import { translation } from '../catalogue'
import type en from '../en/setup'

export default translation<typeof en>({
  title: 'Bienvenue dans Sheaf',
  about: 'Ce serveur est neuf. Créez le premier compte : il est à vous, et il veille sur le serveur.',
  code: 'Code',
  codeHint: 'Le serveur l’a affiché à son démarrage, là où vous lisez ce qu’il affiche.',
  make: 'Créer le premier compte',
  done: 'Le premier compte est déjà créé.',
  signIn: 'Se connecter',
})
