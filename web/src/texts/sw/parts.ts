import { translation } from '../catalogue'
import type en from '../en/parts'

export default translation<typeof en>({
  close: 'Funga',
  cancel: 'Ghairi',
  copy: 'Nakili',
  copied: 'Imenakiliwa',
  optional: 'si lazima',
  loading: 'Inapakia',
  tryAgain: 'Jaribu tena',
  toStart: 'Rudi mwanzo',
  nothingFound: 'Hakuna kilichopatikana',
  showPassword: 'Onyesha nenosiri',
  hidePassword: 'Ficha nenosiri',
  typeToConfirm: 'Andika “{word}” kuthibitisha',
  fileOfSize: '{name}, {size}',
  missingTitle: 'Hakuna kitu hapa',
  forbiddenTitle: 'Hiki hakijafunguliwa kwako',
  offlineTitle: 'Hakuna muunganisho',
  brokenTitle: 'Haikufanikiwa',
  partsTitle: 'Sehemu ya ukurasa huu haikuweza kupakiwa',
  seenByAll: 'Kila mtu anaweza kuona hiki',
  seenByShared: 'Walioshirikishwa tu',
  seenByYou: 'Wewe tu',
  seenByPeople: { one: 'Wewe na mwingine {n}', other: 'Wewe na wengine {n}' },
})
