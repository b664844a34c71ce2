import { translation } from '../catalogue'
import type en from '../en/reset'

export default translation<typeof en>({
  title: 'Nenosiri jipya',
  about: 'Tuambie barua pepe ya akaunti yako. Barua yenye kiungo itakuja huko.',
  email: 'Barua pepe',
  send: 'Tuma barua',
  sent: 'Ikiwa {email} ni ya akaunti, barua iko njiani. Kiungo chake hufanya kazi kwa muda, na mara moja.',
  newTitle: 'Chagua nenosiri jipya',
  newFor: 'Kwa akaunti ya {name}.',
  newPassword: 'Nenosiri jipya',
  set: 'Weka nenosiri na uingie',
  linkOld: 'Kiungo hiki hakifanyi kazi tena: kilitumika, au ni cha zamani. Omba kipya.',
  askAgain: 'Omba barua mpya',
  signIn: 'Rudi kuingia',
})
