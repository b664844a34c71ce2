import { translation } from '../catalogue'
import type en from '../en/publish'

export default translation<typeof en>({
  title: 'Subir un formulario',
  drop: 'Suelte un XLSForm aquí o elija un archivo',
  dropMended: 'Suelte aquí el archivo corregido o elíjalo',
  kinds: 'Excel (.xlsx, .xls), CSV o un XForm (.xml)',
  checking: 'El formulario se está comprobando…',
  refusedTitle: {
    one: '{n} cosa por corregir en {file}',
    many: '{n} cosas por corregir en {file}',
    other: '{n} cosas por corregir en {file}',
  },
  refusedAbout: 'No se guardó nada. Corríjalo en su archivo y vuelva a subirlo aquí mismo.',
  refusedOther: '{file} no se pudo aceptar',
  place: 'Dónde',
  problem: 'Qué está mal',
  sheet: 'Hoja {sheet}',
  row: 'fila {row}',
  column: 'columna {column}',
  value: 'Dice «{value}».',
  more: { one: 'y {n} más', many: 'y {n} más', other: 'y {n} más' },
  doneTitle: '«{title}» está publicado',
  takenId: 'Otro formulario de aquí ya tiene este identificador, así que este recibió «{id}».',
  warningsTitle: { one: '{n} cosa por mirar', many: '{n} cosas por mirar', other: '{n} cosas por mirar' },
  warningsAbout: 'El formulario funciona. Aun así, quizá quiera mirar esto:',
  open: 'Abrir el formulario',
  another: 'Subir otro',
  close: 'Cerrar',
})
