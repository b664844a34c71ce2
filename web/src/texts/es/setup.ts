import { translation } from '../catalogue'
import type en from '../en/setup'

export default translation<typeof en>({
  title: 'Bienvenido a Sheaf',
  about: 'Este servidor es nuevo. Cree la primera cuenta: es suya y cuida del servidor.',
  code: 'Código',
  codeHint: 'El servidor lo mostró al arrancar, donde usted lee lo que muestra.',
  make: 'Crear la primera cuenta',
  done: 'La primera cuenta ya está creada.',
  signIn: 'Iniciar sesión',
})
