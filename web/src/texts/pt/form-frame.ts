import { translation } from '../catalogue'
import type en from '../en/form-frame'

export default translation<typeof en>({
  pages: 'Páginas deste formulário',
  language: 'Idioma das perguntas',
  overview: 'Resumo',
  data: 'Dados',
  map: 'Mapa',
  charts: 'Gráficos',
  dashboard: 'Painel',
  media: 'Mídia',
  collect: 'Coleta',
  versions: 'Versões',
  settings: 'Configurações',
  hiddenTitle: 'Não vê os registos deste formulário',
  hiddenAbout: 'Peça a um proprietário ou gestor do projeto.',
})
