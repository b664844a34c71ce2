import { translation } from '../catalogue'
import type en from '../en/cell'

export default translation<typeof en>({
  approved: 'Aprobado',
  rejected: 'Rechazado',
  pending: 'Pendiente',
  yes: 'Sí',
  no: 'No',
  entries: { one: '{n} × {what}', many: '{n} × {what}', other: '{n} × {what}' },
})
