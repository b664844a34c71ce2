import { translation } from '../catalogue'
import type en from '../en/fill'

export default translation<typeof en>({
  sheaf: 'Sheaf',
  home: 'Page d’accueil de Sheaf',
  offline: 'Pas de connexion',
  nowhere: 'Il n’y a rien à cette adresse. Vérifiez que le lien est complet.',
  broken: 'Un problème est survenu sur cette page. Rechargez-la ; ce qui est gardé sur cet appareil reste.',
})
