import { translation } from '../catalogue'
import type en from '../en/setup'

export default translation<typeof en>({
  title: 'Karibu Sheaf',
  about: 'Seva hii ni mpya. Fungua akaunti ya kwanza: ni yako, na inaitunza seva.',
  code: 'Msimbo',
  codeHint: 'Seva iliuonyesha ilipoanza, mahali unaposoma inachoandika.',
  make: 'Fungua akaunti ya kwanza',
  done: 'Akaunti ya kwanza imeshafunguliwa.',
  signIn: 'Ingia',
})
