import { translation } from '../catalogue'
import type en from '../en/invitation'

export default translation<typeof en>({
  title: 'Umealikwa',
  about: 'Mtu anataka kushiriki mradi nawe kwenye seva hii.',
  aboutFor: 'Mtu anataka kushiriki mradi nawe. Fungua akaunti kwa {email}, na mradi utakuwepo.',
  offer: '{who} anakualika kwenye mradi',
  mayRead: 'Utaweza kusoma data yake.',
  maySend: 'Utaweza kujaza fomu zake.',
  mayEdit: 'Utaweza kujaza fomu zake na kuhariri data yake.',
  mayManage: 'Utaweza kusimamia fomu, data na watu wake.',
  accept: 'Kubali kama {name}',
  another: 'Tumia akaunti nyingine',
  accepted: 'Umekubali. Mradi umeshirikiwa nawe.',
  open: 'Fungua mradi',
  closed: 'Usajili umefungwa kwenye seva hii. Ingia kwa akaunti uliyo nayo, au omba moja kwa wanaoiendesha.',
  over: 'Mwaliko huu si halali tena: umeondolewa, au mtu ameutumia. Omba mpya.',
  register: 'Fungua akaunti',
  signIn: 'Nina akaunti',
  signedIn: 'Umeingia kama {name}. Yaliyoshirikiwa nawe yako kwenye ukurasa wako wa mwanzo.',
  goOn: 'Kwenye ukurasa wa mwanzo',
})
