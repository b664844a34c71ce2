import { translation } from '../catalogue'
import type en from '../en/errors'

export default translation<typeof en>({
  offline: 'No se puede llegar al servidor. No se pierde nada; inténtelo cuando vuelva la conexión.',
  offlineUnsure:
    'La conexión se cortó antes de que el servidor respondiera. No se sabe si se hizo: compruébelo antes de intentarlo otra vez.',
  slow: 'El servidor tardó demasiado en responder. Inténtelo en un momento.',
  slowUnsure: 'El servidor no respondió a tiempo. No se sabe si se hizo: compruébelo antes de intentarlo otra vez.',
  expired: 'Ya no tiene la sesión iniciada.',
  forbidden: 'No puede hacer esto aquí.',
  missing: 'No existe, o no se comparte con usted.',
  invalid: 'Algo de lo enviado no es correcto.',
  conflict: 'Otra persona cambió esto mientras tanto. Vuelva a cargarlo para ver lo que hay ahora.',
  'too-large': 'Es más grande de lo que acepta el servidor.',
  busy: 'El servidor está ocupado. Inténtelo en un momento.',
  broken: 'Algo falló en el servidor. No es culpa suya; inténtelo en un momento.',
})
