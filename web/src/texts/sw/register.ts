import { translation } from '../catalogue'
import type en from '../en/register'

export default translation<typeof en>({
  title: 'Fungua akaunti',
  invited: 'Tumia anwani ambayo mwaliko wako ulikuja: ulichoalikwa kinashirikiwa nayo.',
  name: 'Jina lako',
  username: 'Jina la mtumiaji',
  usernameHint: 'Ni sehemu ya anwani: herufi, tarakimu, nukta, vistari na vistari vya chini.',
  email: 'Barua pepe',
  password: 'Nenosiri',
  passwordHint: { one: 'Angalau herufi {n}.', other: 'Angalau herufi {n}.' },
  make: 'Fungua akaunti',
  closed: 'Usajili umefungwa kwenye seva hii. Omba akaunti kwa wanaoiendesha.',
  hasAccount: 'Una akaunti? {link}',
  signIn: 'Ingia',
  doneTitle: 'Imebaki hatua moja',
  mailSent:
    'Barua inakwenda kwa {email}. Fungua kiungo chake kuonyesha kwamba anwani ni yako. Kisha ulichoalikwa kitashirikiwa nawe.',
  goOn: 'Endelea',
})
