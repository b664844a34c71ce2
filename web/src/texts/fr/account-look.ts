import { translation } from '../catalogue'
import type en from '../en/account-look'

export default translation<typeof en>({
  about: 'Pour cet appareil. Les questions d’un formulaire sont affichées dans les langues du formulaire.',
})
