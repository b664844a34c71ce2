import { translation } from '../catalogue'
import type en from '../en/editor-merge'

export default translation<typeof en>({
  title: 'Alguien fue más rápido',
  overtaken: 'Otra persona guardó el formulario desde que usted lo abrió.',
  overtakenAt: 'Se guardó o publicó el {at}, después de que usted lo abriera.',
  overtakenBy: '{who} lo guardó el {at}, después de que usted lo abriera.',
  noRows: 'Lo que hay ahora vino como XForm y no tiene filas que unir.',
  theirChanges: { one: '{n} fila cambió allí', many: '{n} filas cambiaron allí', other: '{n} filas cambiaron allí' },
  'change-added': 'nueva',
  'change-changed': 'cambiada',
  'change-removed': 'quitada',
  noConflicts: 'Sus cambios y los de la otra persona encajan.',
  conflicts: {
    one: '{n} lugar que ambos cambiaron',
    many: '{n} lugares que ambos cambiaron',
    other: '{n} lugares que ambos cambiaron',
  },
  conflictsAbout: 'Elija cuál queda. Lo demás se une por sí solo.',
  conflictCell: '{sheet}, {row}: {column}',
  conflictRow: '{sheet}: «{row}» fue quitada por uno y cambiada por el otro',
  conflictColumn: '{sheet}: la columna {column} fue quitada por uno y cambiada por el otro',
  conflictHeader: '{sheet}: la columna {column} recibió dos nombres',
  conflictSheet: 'La hoja {sheet} fue quitada por uno y cambiada por el otro',
  conflictOrder: '{sheet}: ambos cambiaron el orden. Queda el suyo.',
  mine: 'Lo suyo:',
  theirs: 'Lo de la otra persona:',
  empty: '(vacío)',
  keepIt: 'conservar',
  letItGo: 'quitar',
  draftGone:
    'El borrador se descartó mientras tanto. Todo lo que tiene aquí se queda; al guardar se crea un borrador nuevo.',
  goOn: 'Continuar',
  'change-moved': 'movida',
  later: 'Más tarde',
  merge: 'Unir ambos',
})
