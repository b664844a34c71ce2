import { translation } from '../catalogue'
import type en from '../en/check'

export default translation<typeof en>({
  title: 'Comprobar un formulario',
  about: 'Suelte un XLSForm: verá qué está mal, en su celda, y el formulario tal como será.',
  drop: 'Suelte el libro aquí, o elíjalo',
  hint: '.xlsx o .csv; un .xls debe guardarse antes como .xlsx',
  examples: '¿No tiene un formulario a mano?',
  exampleBroken: 'Uno con errores',
  result: 'Resultado',
  checking: 'Comprobando…',
  stop: 'Detener',
  stopped: 'Detenido. No se comprobó nada.',
  slow: 'El archivo tarda más de 20 segundos y se abandonó. Quite las listas largas o póngalas en un archivo CSV del formulario.',
  broken:
    'No se pudo comprobar el archivo. Quizá esté dañado: ábralo en un programa de hojas de cálculo, guárdelo y vuelva a intentarlo.',
  tooLarge:
    'El archivo tiene más de 64 MB. Un formulario es mucho más pequeño: quite imágenes y hojas que no le pertenecen.',
  works: 'El formulario funciona. Tiene {rows} filas.',
  problems: { one: '{n} error por corregir', many: '{n} errores por corregir', other: '{n} errores por corregir' },
  warnings: { one: '{n} advertencia', many: '{n} advertencias', other: '{n} advertencias' },
  mistakes: 'Errores',
  warningList: 'Advertencias',
  firstOnly: 'Se muestran los primeros {n}.',
  preview: 'Ver el formulario',
  closePreview: 'Cerrar el formulario',
  download: 'Descargar el XForm',
  downloadWorkbook: 'Descargar como .xlsx',
  outline: {
    one: 'Lo que pregunta: {n} fila',
    many: 'Lo que pregunta: {n} filas',
    other: 'Lo que pregunta: {n} filas',
  },
  unknownType: 'desconocido',
  wholeForm: 'Todo el formulario',
  placeRow: '{sheet}, fila {row}',
  placeCell: '{sheet}, fila {row}, columna {column}',
  rowOf: 'Fila {row}',
  meant: 'Aquí: ',
  emptyCell: '(vacía)',
  private:
    'Nada sale de su navegador: el archivo se lee y se comprueba en este dispositivo, y no se guarda en ninguna parte.',
})
