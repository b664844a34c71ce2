import { translation } from '../catalogue'
import type en from '../en/fill'

export default translation<typeof en>({
  sheaf: 'Sheaf',
  home: 'Página de inicio de Sheaf',
  offline: 'Sin conexión',
  nowhere: 'No hay nada en esta dirección. Compruebe que el enlace esté completo.',
  broken: 'Algo falló en esta página. Cárguela de nuevo; lo guardado en este dispositivo permanece.',
})
