import { translation } from '../catalogue'
import type en from '../en/parts'

export default translation<typeof en>({
  close: 'Cerrar',
  cancel: 'Cancelar',
  copy: 'Copiar',
  copied: 'Copiado',
  optional: 'opcional',
  loading: 'Cargando',
  tryAgain: 'Intentar de nuevo',
  toStart: 'Volver al inicio',
  nothingFound: 'No se encontró nada',
  showPassword: 'Mostrar la contraseña',
  hidePassword: 'Ocultar la contraseña',
  typeToConfirm: 'Escriba «{word}» para confirmar',
  fileOfSize: '{name}, {size}',
  missingTitle: 'Aquí no hay nada',
  forbiddenTitle: 'Esto no está abierto para usted',
  offlineTitle: 'Sin conexión',
  brokenTitle: 'No funcionó',
  partsTitle: 'No se pudo cargar una parte de esta página',
  seenByAll: 'Todo el mundo puede verlo',
  seenByShared: 'Solo aquellos con quienes se comparte',
  seenByYou: 'Solo usted',
  seenByPeople: { one: 'Usted y {n} más', many: 'Usted y {n} más', other: 'Usted y {n} más' },
})
