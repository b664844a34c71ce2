import { translation } from '../catalogue'
import type en from '../en/account-look'

export default translation<typeof en>({
  about: 'Kwa kifaa hiki. Maswali ya fomu huonyeshwa katika lugha za fomu yenyewe.',
})
