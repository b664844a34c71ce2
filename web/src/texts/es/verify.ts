import { translation } from '../catalogue'
import type en from '../en/verify'

export default translation<typeof en>({
  title: 'Su correo electrónico',
  about: 'Con un clic muestra que los mensajes a esta dirección le llegan.',
  verify: 'Sí, es mi dirección',
  done: 'Gracias, {name}. Su dirección está verificada, y aquello a lo que fue invitado se comparte con usted.',
  linkOld: 'Este enlace ya no funciona: se usó, o es demasiado antiguo. Pida uno nuevo en su cuenta.',
  noKey: 'A esta dirección le falta la clave. Abra el enlace del mensaje completo.',
  signIn: 'Iniciar sesión',
  goOn: 'Continuar',
})
