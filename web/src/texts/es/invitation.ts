import { translation } from '../catalogue'
import type en from '../en/invitation'

export default translation<typeof en>({
  title: 'Tiene una invitación',
  about: 'Alguien quiere compartir un proyecto con usted en este servidor.',
  aboutFor: 'Alguien quiere compartir un proyecto con usted. Cree una cuenta con {email} y el proyecto estará ahí.',
  offer: '{who} le invita al proyecto',
  mayRead: 'Podrá leer sus datos.',
  maySend: 'Podrá rellenar sus formularios.',
  mayEdit: 'Podrá rellenar sus formularios y editar sus datos.',
  mayManage: 'Podrá gestionar sus formularios, sus datos y sus personas.',
  accept: 'Aceptar como {name}',
  another: 'Usar otra cuenta',
  accepted: 'Ha aceptado. El proyecto se comparte con usted.',
  open: 'Abrir el proyecto',
  closed:
    'El registro está cerrado en este servidor. Inicie sesión con una cuenta que tenga, o pida una a quienes lo administran.',
  over: 'Esta invitación ya no es válida: se retiró, o alguien la usó. Pida una nueva.',
  register: 'Crear una cuenta',
  signIn: 'Tengo una cuenta',
  signedIn: 'Ha iniciado sesión como {name}. Lo que se comparte con usted está en su página de inicio.',
  goOn: 'A la página de inicio',
})
