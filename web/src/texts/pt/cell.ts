import { translation } from '../catalogue'
import type en from '../en/cell'

export default translation<typeof en>({
  approved: 'Aprovado',
  rejected: 'Rejeitado',
  pending: 'Pendente',
  yes: 'Sim',
  no: 'Não',
  entries: { one: '{n} × {what}', many: '{n} × {what}', other: '{n} × {what}' },
})
