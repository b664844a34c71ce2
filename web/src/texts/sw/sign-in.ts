import { translation } from '../catalogue'
import type en from '../en/sign-in'

export default translation<typeof en>({
  title: 'Ingia',
  username: 'Jina la mtumiaji au barua pepe',
  password: 'Nenosiri',
  stay: 'Baki umeingia',
  stayHint: 'Kwa {time}, kwenye kifaa hiki. Si kwenye kinachotumiwa na wengine.',
  signIn: 'Ingia',
  wrong: 'Jina au nenosiri si sahihi.',
  forgotten: 'Umesahau nenosiri?',
  noAccount: 'Huna akaunti bado? {link}',
  register: 'Fungua moja',
  or: 'au',
  with: 'Ingia kwa {provider}',
  connecting: 'Mtoa huduma wako anakujua. Ingia hapa mara moja kwa nenosiri lako, na zote mbili zitaunganishwa.',
})
