import { translation } from '../catalogue'
import type en from '../en/reset'

export default translation<typeof en>({
  title: 'Una contraseña nueva',
  about: 'Díganos el correo de su cuenta. Allí llegará un mensaje con un enlace.',
  email: 'Correo electrónico',
  send: 'Enviar el mensaje',
  sent: 'Si {email} pertenece a una cuenta, un mensaje va en camino. Su enlace funciona un tiempo, y una sola vez.',
  newTitle: 'Elija una contraseña nueva',
  newFor: 'Para la cuenta de {name}.',
  newPassword: 'Contraseña nueva',
  set: 'Guardar la contraseña e iniciar sesión',
  linkOld: 'Este enlace ya no funciona: se usó, o es demasiado antiguo. Pida uno nuevo.',
  askAgain: 'Pedir otro mensaje',
  signIn: 'Volver a iniciar sesión',
})
