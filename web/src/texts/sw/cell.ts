import { translation } from '../catalogue'
import type en from '../en/cell'

export default translation<typeof en>({
  approved: 'Imekubaliwa',
  rejected: 'Imekataliwa',
  pending: 'Inasubiri',
  yes: 'Ndiyo',
  no: 'Hapana',
  entries: { one: '{n} × {what}', other: '{n} × {what}' },
})
