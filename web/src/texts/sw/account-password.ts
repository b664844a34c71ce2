import { translation } from '../catalogue'
import type en from '../en/account-password'

export default translation<typeof en>({
  title: 'Badilisha nenosiri lako',
  about:
    'Unabaki umeingia hapa. Kwingine kote unatolewa, programu ulizoruhusu zinapoteza ufikiaji, na tokeni yako ya API inabadilishwa.',
  current: 'Nenosiri la sasa',
  wanted: 'Nenosiri jipya',
  least: {
    one: 'Angalau herufi {n}, na si moja uliyowahi kutumia.',
    other: 'Angalau herufi {n}, na si moja uliyowahi kutumia.',
  },
  change: 'Badilisha nenosiri',
  changed: 'Nenosiri limebadilishwa. Unabaki umeingia hapa.',
})
