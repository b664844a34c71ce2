import { translation } from '../catalogue'
import type en from '../en/account-token'

export default translation<typeof en>({
  title: 'Token de la API',
  about:
    'Con él, un programa o un script lee y escribe todo lo que usted puede, sin su contraseña. Guárdelo como su contraseña.',
  password: 'Su contraseña',
  passwordHint: 'Se pide de nuevo porque quien tiene el token ya no necesita iniciar sesión.',
  show: 'Mostrar el token',
  hide: 'Ocultarlo',
  permanent: 'Token permanente',
  temporary: 'Token temporal',
  try: 'Por ejemplo, en un terminal',
  docs: 'Lo que pueden hacer los programas se describe en {link}.',
  docsLink: 'la descripción de la API',
  renew: 'Reemplazarlo',
  renewTitle: '¿Reemplazar el token?',
  renewAbout:
    'El antiguo termina al instante: los programas y scripts que lo usan dejan de funcionar hasta recibir el nuevo.',
  renewed: 'El token se ha reemplazado',
  cancel: 'Cancelar',
})
