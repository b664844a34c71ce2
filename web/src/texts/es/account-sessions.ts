import { translation } from '../catalogue'
import type en from '../en/account-sessions'

export default translation<typeof en>({
  title: 'Dónde tiene la sesión iniciada',
  about: 'Navegadores que le conocen. Cierre lo que no reconozca y cambie entonces su contraseña.',
  this: 'Este navegador',
  browserOn: '{browser} en {system}',
  unknown: 'Navegador desconocido',
  seen: 'Último uso',
  since: 'Sesión iniciada: {date}',
  stays: 'mantiene la sesión',
  end: 'Cerrar',
  endOf: 'Cerrar {browser}',
  ended: 'Sesión cerrada allí',
  endOthers: 'Cerrar las demás sesiones',
  othersEnded: 'Solo queda esta sesión',
})
