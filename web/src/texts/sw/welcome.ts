import { translation } from '../catalogue'
import type en from '../en/welcome'

export default translation<typeof en>({
  title: 'Karibu',
  headline: 'Fomu zinatoka, majibu yanaingia, yote mahali pamoja',
  lead: 'Seva hii hukusanya data uwanjani, hata bila muunganisho, na huwezesha timu kuisoma, kuikagua, kuiona kwenye ramani na chati, na kuishiriki.',
  signIn: 'Ingia',
  register: 'Fungua akaunti',
  collect: 'Kusanya popote',
  collectAbout:
    'Kwa ODK Collect kwenye simu, au kwenye kivinjari. Kilichojazwa bila mtandao hutumwa baadaye, mara moja.',
  read: 'Soma na kagua',
  readAbout: 'Kila rekodi kwenye jedwali linalopanga, kuchuja na kutafuta, pamoja na historia yake.',
  see: 'Ona wapi',
  seeAbout: 'Mahali kwenye ramani, picha kwenye ukuta, majibu kama chati zinazojihesabu.',
  share: 'Shiriki kwa uangalifu',
  shareAbout: 'Kwa mradi, kwa majukumu, na kila mara kusema nani anaweza kuona nini.',
  docs: 'Soma na jaribu API',
})
