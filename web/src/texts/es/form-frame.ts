import { translation } from '../catalogue'
import type en from '../en/form-frame'

export default translation<typeof en>({
  pages: 'Páginas de este formulario',
  language: 'Idioma de las preguntas',
  overview: 'Resumen',
  data: 'Datos',
  map: 'Mapa',
  charts: 'Gráficos',
  dashboard: 'Panel',
  media: 'Medios',
  collect: 'Recolección',
  versions: 'Versiones',
  settings: 'Ajustes',
  hiddenTitle: 'Usted no ve los registros de este formulario',
  hiddenAbout: 'Pídalo a un propietario o a un gestor del proyecto.',
})
