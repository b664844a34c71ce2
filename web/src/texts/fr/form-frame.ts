import { translation } from '../catalogue'
import type en from '../en/form-frame'

export default translation<typeof en>({
  pages: 'Pages de ce formulaire',
  language: 'Langue des questions',
  overview: 'Aperçu',
  data: 'Données',
  map: 'Carte',
  charts: 'Graphiques',
  dashboard: 'Tableau de bord',
  media: 'Médias',
  collect: 'Collecte',
  versions: 'Versions',
  settings: 'Paramètres',
  hiddenTitle: 'Vous ne voyez pas les enregistrements de ce formulaire',
  hiddenAbout: 'Demandez-le à un propriétaire ou à un gestionnaire du projet.',
})
