import { translation } from '../catalogue'
import type en from '../en/account'

export default translation<typeof en>({
  title: 'A sua conta',
  pages: 'Partes da sua conta',
  profile: 'Perfil',
  password: 'Palavra-passe',
  sessions: 'Sessões',
  token: 'Token da API',
  applications: 'Aplicações',
  look: 'Língua e aspeto',
  save: 'Guardar',
  saved: 'Guardado',
  cancel: 'Cancelar',
})
