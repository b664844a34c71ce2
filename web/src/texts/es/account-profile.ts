import { translation } from '../catalogue'
import type en from '../en/account-profile'

export default translation<typeof en>({
  who: 'Quién es usted',
  firstName: 'Nombre',
  lastName: 'Apellidos',
  organization: 'Organización',
  city: 'Ciudad',
  country: 'País',
  noCountry: 'Sin indicar',
  website: 'Sitio web',
  picture: 'Su imagen',
  pictureAbout: 'El servidor dibuja la imagen; los demás la ven junto a su nombre.',
  joined: 'Miembro desde el {date}',
  mail: 'Correo electrónico',
  email: 'Dirección de correo',
  mailAbout: 'Solo usted la ve. Allí llegan los mensajes sobre su cuenta y las invitaciones.',
  verified: 'Verificada',
  unverified: 'Sin verificar',
  sendMail: 'Enviar el mensaje de verificación',
  mailSent: 'Un mensaje va en camino a {email}',
  currentPassword: 'Su contraseña',
  currentHint: 'Hace falta para cambiar la dirección.',
  sending: 'Envío de registros',
  requireAuth: 'Solo quienes inician sesión pueden enviar registros a mis formularios',
  requireAuthHint:
    'Sin esto, quien conozca la dirección de un formulario puede enviarle registros, salvo que el propio formulario pida iniciar sesión.',
})
