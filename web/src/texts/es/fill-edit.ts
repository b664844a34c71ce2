import { translation } from '../catalogue'
import type en from '../en/fill-edit'

export default translation<typeof en>({
  title: 'Cambiar: {form}',
  about: 'Está cambiando un registro guardado.',
  conflict: 'Alguien más cambió este registro mientras tanto',
  conflictAbout: 'No se pierde nada de lo que escribió. Elija qué vale en cada pregunta.',
  conflictBy: 'Fue {name}. No se pierde nada de lo que escribió. Elija qué vale en cada pregunta.',
  gone: 'Este registro ya no está',
  goneAbout: 'Alguien lo eliminó mientras tanto, o usted ya no puede verlo. No se ha perdido nada de lo que escribió.',
  storeAnew: 'Guardar como registro nuevo',
  same: 'Ambos tienen las mismas respuestas.',
  'side-mine': 'La suya',
  'side-theirs': 'Como está guardada',
  empty: 'Sin respuesta',
  noEntry: 'Esta entrada no existe',
  merge: 'Enviar con estas elecciones',
  keepBoth: 'Conservar ambos',
  drop: 'Descartar lo mío',
  goOn: 'Seguir rellenando primero',
  ways: '«Conservar ambos» guarda lo suyo como un registro aparte. Lo descartado puede recuperarse un tiempo en la bandeja de salida.',
  notLoaded: 'No se pudo cargar el registro guardado. Su cambio se conserva.',
  notSent: 'No se pudo enviar. Su cambio se conserva; inténtelo de nuevo.',
  tryAgain: 'Intentar de nuevo',
})
