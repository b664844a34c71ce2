import { translation } from '../catalogue'
import type en from '../en/form-frame'

export default translation<typeof en>({
  pages: 'Kurasa za fomu hii',
  language: 'Lugha ya maswali',
  overview: 'Muhtasari',
  data: 'Data',
  map: 'Ramani',
  charts: 'Chati',
  dashboard: 'Dashibodi',
  media: 'Picha na sauti',
  collect: 'Kukusanya',
  versions: 'Matoleo',
  settings: 'Mipangilio',
  hiddenTitle: 'Huoni rekodi za fomu hii',
  hiddenAbout: 'Muombe mmiliki au msimamizi wa mradi.',
})
