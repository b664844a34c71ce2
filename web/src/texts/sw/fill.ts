import { translation } from '../catalogue'
import type en from '../en/fill'

export default translation<typeof en>({
  sheaf: 'Sheaf',
  home: 'Ukurasa wa mwanzo wa Sheaf',
  offline: 'Hakuna muunganisho',
  nowhere: 'Hakuna kitu kwenye anwani hii. Hakikisha kiungo kimekamilika.',
  broken: 'Hitilafu imetokea kwenye ukurasa huu. Ufungue upya; kilichohifadhiwa kwenye kifaa hiki kinabaki.',
})
