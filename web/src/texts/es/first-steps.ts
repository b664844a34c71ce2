import { translation } from '../catalogue'
import type en from '../en/first-steps'

export default translation<typeof en>({
  title: 'Su primer formulario',
  about: 'El servidor está listo. Tres maneras de empezar; puede tomar las otras más tarde.',
  example: 'Ver un ejemplo',
  exampleAbout:
    'Un proyecto con un formulario, unos cientos de registros, fotos y lugares, para probarlo todo. Bórrelo cuando termine.',
  exampleMake: 'Crear el ejemplo',
  exampleMaking: 'El servidor está creando el ejemplo: un formulario, sus registros y sus fotos. Tarda unos segundos.',
  exampleSince: { one: '{n} segundo hasta ahora', many: '{n} segundos hasta ahora', other: '{n} segundos hasta ahora' },
  exampleDone: {
    one: 'El ejemplo está listo, con {n} registro.',
    many: 'El ejemplo está listo, con {n} registros.',
    other: 'El ejemplo está listo, con {n} registros.',
  },
  table: 'Ver la tabla',
  map: 'Ver el mapa',
  charts: 'Ver los gráficos',
  project: 'Abrir el proyecto',
  upload: 'Traer un formulario',
  uploadAbout: 'Tiene un XLSForm: un archivo de Excel con preguntas. Va a su primer proyecto.',
  place: '{sheet}, fila {row}',
  file: 'Elegir el XLSForm',
  fileHint: '.xlsx, .xls o .csv',
  uploaded: '{title} está listo',
  refused: 'El formulario tiene errores. No se guardó nada; corríjalos y elija de nuevo el archivo.',
  empty: 'Empezar con un proyecto vacío',
  emptyAbout: 'Un proyecto reúne formularios, sus respuestas y las personas que trabajan con ellos.',
  name: 'Nombre del proyecto',
  make: 'Crear el proyecto',
  later: 'Omitir esto',
})
