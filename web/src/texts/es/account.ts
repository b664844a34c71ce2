import { translation } from '../catalogue'
import type en from '../en/account'

export default translation<typeof en>({
  title: 'Su cuenta',
  pages: 'Partes de su cuenta',
  profile: 'Perfil',
  password: 'Contraseña',
  sessions: 'Sesiones',
  token: 'Token de la API',
  applications: 'Aplicaciones',
  look: 'Idioma y aspecto',
  save: 'Guardar',
  saved: 'Guardado',
  cancel: 'Cancelar',
})
