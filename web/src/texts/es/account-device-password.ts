import { translation } from '../catalogue'
import type en from '../en/account-device-password'

export default translation<typeof en>({
  title: 'Contraseña para teléfonos sin https',
  about:
    'Por http un teléfono no envía ninguna contraseña que pueda leerse en el camino; se identifica por Digest, con esta contraseña en lugar de la suya. Envía registros y obtiene formularios, y no abre nada más. Si cambia su propia contraseña, esta termina.',
  once: 'Cópiela ahora: nadie puede mostrarla de nuevo, solo reemplazarla.',
  name: 'Nombre de usuario',
  devicePassword: 'Contraseña para teléfonos',
  hide: 'Ocultarla',
  since: 'Hay una desde {date}.',
  password: 'Su contraseña',
  make: 'Crear una',
  replace: 'Reemplazarla',
  end: 'Terminarla',
  endTitle: '¿Terminar la contraseña para teléfonos?',
  endAbout: 'Los teléfonos que la usan no podrán obtener formularios ni enviar registros hasta recibir una nueva.',
  ended: 'La contraseña para teléfonos ha terminado',
})
