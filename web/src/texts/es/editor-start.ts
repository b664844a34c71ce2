import { translation } from '../catalogue'
import type en from '../en/editor-start'

export default translation<typeof en>({
  untitled: 'Formulario sin título',
  goOnTitle: '«{title}» todavía no está guardado',
  goOnAbout: 'Este navegador conservó lo que escribió. Escribió por última vez:',
  goOn: 'Seguir',
  dropWork: 'Desechar',
  blank: 'Empezar desde cero',
  blankAbout: 'Un formulario vacío. Añada una pregunta tras otra y vea el formulario al lado.',
  upload: 'Abrir una hoja de cálculo',
  uploadHint: 'Un XLSForm: .xlsx o .csv. Los errores se muestran donde están, para corregirlos aquí.',
  templates: 'Empezar con una plantilla',
  take: 'Usarla',
  look: 'Mirar dentro',
  questions: { one: '{n} pregunta', many: '{n} preguntas', other: '{n} preguntas' },
  fromForm: 'Empezar con otro formulario',
  fromFormAbout: 'Una copia de sus preguntas. El otro formulario queda como está.',
  form: 'Formulario',
  chooseForm: 'Elija un formulario',
  copyOf: '{title} (copia)',
  noWorkbook: 'Este formulario no tiene hoja de cálculo con la que empezar.',
  fromLibrary: 'Empezar con la biblioteca de preguntas',
  fromLibraryAbout: 'Preguntas que alguien de este proyecto ha guardado.',
  finished: 'Publicar un archivo terminado',
  finishedAbout: 'Un XLSForm o XForm que no necesita cambios se publica enseguida.',
  oldExcel:
    'Es un archivo del Excel antiguo (.xls), que los navegadores no leen. Ábralo en Excel o LibreOffice, elija «Guardar como», tome .xlsx y suelte ese archivo aquí. O publique el archivo tal cual: el servidor lo lee.',
  publishFile: 'Publicar un archivo',
  close: 'Cerrar',
})
