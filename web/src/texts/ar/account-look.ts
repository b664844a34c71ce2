import { translation } from '../catalogue'
import type en from '../en/account-look'

export default translation<typeof en>({
  about: 'لهذا الجهاز. تُعرض أسئلة النموذج بلغات النموذج نفسه.',
})
