import { translation } from '../catalogue'
import type en from '../en/invitation'

export default translation<typeof en>({
  title: 'Tiene una invitación',
  about: 'Alguien quiere compartir un proyecto con usted en este servidor.',
  aboutFor: 'Alguien quiere compartir un proyecto con usted. Cree una cuenta con {email} y el proyecto estará ahí.',
  register: 'Crear una cuenta',
  signIn: 'Tengo una cuenta',
  signedIn: 'Ha iniciado sesión como {name}. Lo que se comparte con usted está en su página de inicio.',
  goOn: 'A la página de inicio',
})
