import { translation } from '../catalogue'
import type en from '../en/account-password'

export default translation<typeof en>({
  title: 'Cambiar su contraseña',
  about:
    'Aquí sigue con la sesión iniciada. En los demás lugares se cierra, los programas autorizados pierden el acceso y su token de la API se reemplaza.',
  current: 'Contraseña actual',
  wanted: 'Contraseña nueva',
  least: {
    one: 'Al menos {n} carácter, y ninguna que ya haya usado.',
    many: 'Al menos {n} caracteres, y ninguna que ya haya usado.',
    other: 'Al menos {n} caracteres, y ninguna que ya haya usado.',
  },
  change: 'Cambiar la contraseña',
  changed: 'La contraseña ha cambiado. Aquí sigue con la sesión iniciada.',
})
