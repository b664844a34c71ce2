import { translation } from '../catalogue'
import type en from '../en/figures'

export default translation<typeof en>({
  answer: 'Respuesta',
  count: 'Cantidad',
  share: 'Porcentaje',
  records: 'Registros',
  noAnswer: 'Sin respuesta',
  otherGroups: 'Otros',
  sum: 'Suma',
  mean: 'Media',
  median: 'Mediana',
  least: 'Mínimo',
  most: 'Máximo',
  empty: 'Todavía no hay respuestas.',
  allDifferent: {
    one: '{n} respuesta.',
    many: '{n} respuestas, todas diferentes.',
    other: '{n} respuestas, todas diferentes.',
  },
  unanswered: { one: '{n} sin respuesta.', many: '{n} sin respuesta.', other: '{n} sin respuesta.' },
  several: 'Se podían elegir varias opciones, así que los porcentajes pueden sumar más del 100 %.',
  week: 'Cada barra es una semana.',
  month: 'Cada barra es un mes.',
  year: 'Cada barra es un año.',
  noNumbers: {
    one: '{n} respuesta no es un número.',
    many: '{n} respuestas no son números.',
    other: '{n} respuestas no son números.',
  },
  noDates: {
    one: '{n} fecha no existe en el calendario.',
    many: '{n} fechas no existen en el calendario.',
    other: '{n} fechas no existen en el calendario.',
  },
  left: {
    one: 'No se muestra {n} valor menos frecuente.',
    many: 'No se muestran {n} valores menos frecuentes.',
    other: 'No se muestran {n} valores menos frecuentes.',
  },
  places: { one: 'Mapa con {shown} lugar', many: 'Mapa con {shown} lugares', other: 'Mapa con {shown} lugares' },
  table: 'Mostrar las cifras',
  tableOf: 'Cifras: {title}',
  spoken: '{title}. Barras: {values}. Las teclas de flecha leen cada barra.',
})
