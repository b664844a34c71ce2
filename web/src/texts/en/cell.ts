import { english } from '../catalogue'

export default english('cell', {
  approved: 'Approved',
  rejected: 'Rejected',
  pending: 'Pending',
  yes: 'Yes',
  no: 'No',
  entries: { one: '{n} × {what}', other: '{n} × {what}' },
})
