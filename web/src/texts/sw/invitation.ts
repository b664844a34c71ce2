import { translation } from '../catalogue'
import type en from '../en/invitation'

export default translation<typeof en>({
  title: 'Umealikwa',
  about: 'Mtu anataka kushiriki mradi nawe kwenye seva hii.',
  aboutFor: 'Mtu anataka kushiriki mradi nawe. Fungua akaunti kwa {email}, na mradi utakuwepo.',
  register: 'Fungua akaunti',
  signIn: 'Nina akaunti',
  signedIn: 'Umeingia kama {name}. Yaliyoshirikiwa nawe yako kwenye ukurasa wako wa mwanzo.',
  goOn: 'Kwenye ukurasa wa mwanzo',
})
