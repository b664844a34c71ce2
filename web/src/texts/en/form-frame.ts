import { english } from '../catalogue'

export default english('form-frame', {
  pages: 'Pages of this form',
  language: 'Language of the questions',
  overview: 'Overview',
  data: 'Data',
  map: 'Map',
  charts: 'Charts',
  dashboard: 'Dashboard',
  media: 'Media',
  collect: 'Collect',
  versions: 'Versions',
  settings: 'Settings',
  hiddenTitle: 'You do not see the records of this form',
  hiddenAbout: 'Ask an owner or a manager of the project for it.',
})
