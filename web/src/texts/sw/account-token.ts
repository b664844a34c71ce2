import { translation } from '../catalogue'
import type en from '../en/account-token'

export default translation<typeof en>({
  title: 'Tokeni ya API',
  about:
    'Kwa hiyo programu au hati husoma na kuandika yote unayoruhusiwa, bila nenosiri lako. Itunze kama nenosiri lako.',
  password: 'Nenosiri lako',
  passwordHint: 'Linaombwa tena, kwa sababu mwenye tokeni hahitaji kuingia tena.',
  show: 'Onyesha tokeni',
  hide: 'Ifiche',
  permanent: 'Tokeni ya kudumu',
  temporary: 'Tokeni ya muda',
  try: 'Kwa mfano, kwenye terminali',
  docs: 'Yale programu zinaweza kufanya yameelezwa katika {link}.',
  docsLink: 'maelezo ya API',
  renew: 'Ibadilishe',
  renewTitle: 'Ubadilishe tokeni?',
  renewAbout: 'Ya zamani inaisha mara moja: programu na hati zinazoitumia zitasimama hadi zipate mpya.',
  renewed: 'Tokeni imebadilishwa',
  cancel: 'Ghairi',
})
