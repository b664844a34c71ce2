import { translation } from '../catalogue'
import type en from '../en/verify'

export default translation<typeof en>({
  title: 'Barua pepe yako',
  about: 'Bonyeza mara moja kuonyesha kwamba barua kwa anwani hii zinakufikia.',
  verify: 'Ndiyo, hii ni anwani yangu',
  done: 'Asante, {name}. Anwani yako imethibitishwa, na ulichoalikwa kimeshirikiwa nawe.',
  linkOld: 'Kiungo hiki hakifanyi kazi tena: kilitumika, au ni cha zamani. Omba kipya kwenye akaunti yako.',
  noKey: 'Anwani hii haina ufunguo wake. Fungua kiungo chote cha barua.',
  signIn: 'Ingia',
  goOn: 'Endelea',
})
