import { translation } from '../catalogue'
import type en from '../en/account-device-password'

export default translation<typeof en>({
  title: 'Nenosiri la simu zisizo na https',
  about:
    'Kwa http simu haitumi nenosiri linaloweza kusomwa njiani; inaingia kwa Digest, kwa nenosiri hili badala ya lako. Inatuma rekodi na kuchukua fomu, na haifungui kitu kingine. Ukibadilisha nenosiri lako, hili linaisha.',
  once: 'Linakili sasa: hakuna anayeweza kulionyesha tena, kulibadilisha tu.',
  name: 'Jina la mtumiaji',
  devicePassword: 'Nenosiri la simu',
  hide: 'Lifiche',
  since: 'Lipo tangu {date}.',
  password: 'Nenosiri lako',
  make: 'Tengeneza moja',
  replace: 'Libadilishe',
  end: 'Likomeshe',
  endTitle: 'Ukomeshe nenosiri la simu?',
  endAbout: 'Simu zinazolitumia haziwezi tena kuchukua fomu wala kutuma rekodi hadi zipate jipya.',
  ended: 'Nenosiri la simu limekoma',
})
