import { translation } from '../catalogue'
import type en from '../en/editor-library'

export default translation<typeof en>({
  keepTitle: 'Guardar preguntas para otros formularios',
  keepAbout: 'Van a la biblioteca de preguntas de este proyecto, con sus opciones.',
  insertTitle: 'Insertar preguntas',
  insertAbout: 'Vienen detrás de la fila del cursor, con sus opciones.',
  name: 'Nombre',
  nameHint: 'Como «Edad y sexo» o «Consentimiento».',
  pick: '¿Qué preguntas?',
  keep: 'Guardar',
  kept: '«{name}» está en la biblioteca',
  from: 'De dónde',
  library: 'Biblioteca de preguntas',
  otherForms: 'Otro formulario',
  emptyTitle: 'La biblioteca está vacía',
  emptyAbout: 'Guarde allí preguntas de un formulario, y el siguiente las tendrá a mano.',
  questions: { one: '{n} pregunta', many: '{n} preguntas', other: '{n} preguntas' },
  insert: 'Insertar',
  inserted: { one: '{n} fila insertada', many: '{n} filas insertadas', other: '{n} filas insertadas' },
  removeOne: 'Quitar «{name}» de la biblioteca',
  removed: '«{name}» ya no está en la biblioteca',
  form: 'Formulario',
  chooseForm: 'Elija un formulario',
  noWorkbook: 'Este formulario no tiene hoja de cálculo de la que tomar preguntas.',
  close: 'Cerrar',
})
