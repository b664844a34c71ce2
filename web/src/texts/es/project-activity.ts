import { translation } from '../catalogue'
import type en from '../en/project-activity'

export default translation<typeof en>({
  somebody: 'Alguien sin cuenta',
  you: 'Usted',
  sent: '{who}: envío de {records} a {form}',
  edited: '{who}: cambio de {records} en {form}',
  deleted: '{who}: borrado de {records} en {form}',
  restored: '{who}: recuperación de {records} en {form}',
  reviewed: '{who}: revisión de {records} en {form}',
  updated: '{who}: nueva versión de {form}',
  saidOf: '{who} sobre {form}',
  said: '{who} escribió',
  other: '{who}: {verb} en {form}',
  aRecord: 'un registro',
  records: { one: '{n} registro', many: '{n} registros', other: '{n} registros' },
  aForm: 'un formulario',
  emptyTitle: 'Aún no ha pasado nada',
  emptyAbout:
    'Los registros que llegan, las revisiones, las nuevas versiones de formularios y lo que la gente escribe aquí.',
  older: 'Mostrar lo anterior',
  write: 'Decir algo a los demás',
  writeHint: 'Pueden leerlo todos los que tienen una función en este proyecto.',
  send: 'Enviar',
  written: 'Enviado.',
  remove: 'Quitar este mensaje',
  removed: 'El mensaje está quitado.',
  today: 'Hoy',
  yesterday: 'Ayer',
})
