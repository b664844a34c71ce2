import { translation } from '../catalogue'
import type en from '../en/cell'

export default translation<typeof en>({
  approved: 'مقبول',
  rejected: 'مرفوض',
  pending: 'قيد الانتظار',
  yes: 'نعم',
  no: 'لا',
  entries: {
    zero: '{n} × {what}',
    one: '{n} × {what}',
    two: '{n} × {what}',
    few: '{n} × {what}',
    many: '{n} × {what}',
    other: '{n} × {what}',
  },
})
