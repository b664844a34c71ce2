import { translation } from '../catalogue'
import type en from '../en/cell'

export default translation<typeof en>({
  approved: 'Approuvé',
  rejected: 'Rejeté',
  pending: 'En attente',
  yes: 'Oui',
  no: 'Non',
  entries: { one: '{n} × {what}', many: '{n} × {what}', other: '{n} × {what}' },
})
