import { translation } from '../catalogue'
import type en from '../en/register'

export default translation<typeof en>({
  title: 'Crear una cuenta',
  invited: 'Use la dirección a la que llegó su invitación: lo que se le ofreció se comparte con ella.',
  name: 'Su nombre',
  username: 'Nombre de usuario',
  usernameHint: 'Forma parte de las direcciones: letras, cifras, puntos, guiones y guiones bajos.',
  email: 'Correo electrónico',
  password: 'Contraseña',
  passwordHint: { one: 'Al menos {n} carácter.', many: 'Al menos {n} caracteres.', other: 'Al menos {n} caracteres.' },
  make: 'Crear la cuenta',
  closed: 'El registro está cerrado en este servidor. Pida una cuenta a quienes lo administran.',
  hasAccount: '¿Tiene una cuenta? {link}',
  signIn: 'Inicie sesión',
  doneTitle: 'Queda un paso',
  mailSent:
    'Un mensaje va en camino a {email}. Abra su enlace para mostrar que la dirección es suya. Entonces se compartirá con usted aquello a lo que fue invitado.',
  goOn: 'Continuar',
})
