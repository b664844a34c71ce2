import { translation } from '../catalogue'
import type en from '../en/people'

export default translation<typeof en>({
  find: 'Tafuta mtu',
  you: 'wewe',
  noneFound: 'Hakuna mtu mwenye jina hili hapa.',
  showMore: { one: 'Onyesha {n} zaidi', other: 'Onyesha {n} zaidi' },
})
