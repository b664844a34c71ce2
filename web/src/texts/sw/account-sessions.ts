import { translation } from '../catalogue'
import type en from '../en/account-sessions'

export default translation<typeof en>({
  title: 'Mahali ulipoingia',
  about: 'Vivinjari vinavyokujua. Funga usichokitambua, kisha ubadilishe nenosiri lako.',
  this: 'Kivinjari hiki',
  browserOn: '{browser} kwenye {system}',
  unknown: 'Kivinjari kisichojulikana',
  seen: 'Ilitumika mwisho',
  since: 'Uliingia {date}',
  stays: 'hubaki umeingia',
  end: 'Toa',
  endOf: 'Toa {browser}',
  ended: 'Umetolewa huko',
  endOthers: 'Toka kwingine kote',
  othersEnded: 'Umeingia hapa pekee',
})
