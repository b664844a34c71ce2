import { translation } from '../catalogue'
import type en from '../en/welcome'

export default translation<typeof en>({
  title: 'Bienvenido',
  headline: 'Salen formularios, llegan respuestas, todo en un lugar',
  lead: 'Este servidor recoge datos en el terreno, también sin conexión, y permite a los equipos leerlos, revisarlos, verlos en mapas y gráficos, y compartirlos.',
  signIn: 'Iniciar sesión',
  register: 'Crear una cuenta',
  collect: 'Recoger en cualquier lugar',
  collectAbout:
    'Con ODK Collect en el teléfono, o en un navegador. Lo que se llena sin red se envía después, una sola vez.',
  read: 'Leer y revisar',
  readAbout: 'Cada registro en una tabla que ordena, filtra y busca, con su historia.',
  see: 'Ver dónde',
  seeAbout: 'Lugares en un mapa, fotos en un muro, respuestas en gráficos que se cuentan solos.',
  share: 'Compartir con cuidado',
  shareAbout: 'Por proyecto, con funciones, y siempre diciendo quién puede ver qué.',
  docs: 'Leer y probar la API',
})
