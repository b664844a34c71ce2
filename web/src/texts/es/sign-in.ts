import { translation } from '../catalogue'
import type en from '../en/sign-in'

export default translation<typeof en>({
  title: 'Iniciar sesión',
  username: 'Usuario o correo electrónico',
  password: 'Contraseña',
  stay: 'Mantener la sesión',
  stayHint: 'Durante {time}, en este dispositivo. No en uno que usen otros.',
  signIn: 'Iniciar sesión',
  wrong: 'El nombre o la contraseña no son correctos.',
  forgotten: '¿Olvidó su contraseña?',
  noAccount: '¿Aún no tiene cuenta? {link}',
  register: 'Cree una',
  or: 'o',
  with: 'Iniciar sesión con {provider}',
  connecting: 'Su proveedor le conoce. Inicie sesión una vez aquí con su contraseña y ambos quedarán unidos.',
})
