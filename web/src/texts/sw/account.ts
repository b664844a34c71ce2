import { translation } from '../catalogue'
import type en from '../en/account'

export default translation<typeof en>({
  title: 'Akaunti yako',
  pages: 'Sehemu za akaunti yako',
  profile: 'Wasifu',
  password: 'Nenosiri',
  sessions: 'Vipindi',
  token: 'Tokeni ya API',
  applications: 'Programu',
  look: 'Lugha na mwonekano',
  save: 'Hifadhi',
  saved: 'Imehifadhiwa',
  cancel: 'Ghairi',
})
