import { translation } from '../catalogue'
import type en from '../en/form-draft'

export default translation<typeof en>({
  title: 'Jaribu toleo',
  about: 'Simu zinazosoma msimbo wake hujaza toleo hili pekee. Zinachotuma si rekodi ya fomu.',
  drop: 'Dondosha hapa XLSForm ya kujaribu, au ichague',
  dropHint: '.xlsx, .xls, .csv au XForm (.xml)',
  dropAgain: 'Dondosha faili nyingine mahali pake, au ichague',
  dropAgainHint: 'Simu hulipata kwa msimbo uleule. Rekodi za majaribio hubaki, kila moja na toleo lake.',
  kept: 'Toleo linaweza kujaribiwa',
  version: '{title}, toleo {version}',
  missing: 'Faili zinazotajwa na hazipo hapa:',
  scan: 'Soma msimbo kwa ODK Collect, au andika anwani kama seva yake.',
  address: 'Anwani ya simu',
  plan: 'Kulichapisha kungemaanisha nini',
  code: 'Msimbo wa simu',
  records: { one: 'Rekodi {n} ya majaribio', other: 'Rekodi {n} za majaribio' },
  recordsAbout: 'Zinaondoka toleo linapochapishwa au kutupwa, na baada ya siku 30.',
  tried: 'Rekodi za majaribio',
  publish: 'Chapisha toleo hili',
  published: 'Toleo limechapishwa. Simu zitalipata zitakapouliza tena.',
  throwAway: 'Litupe',
  throwAwaySure: 'Toleo na rekodi zote za majaribio zinaondoka. Fomu inabaki ilivyo.',
  throwAwayForm: 'Fomu haijawahi kuchapishwa: nayo inaondoka, pamoja na rekodi zote za majaribio.',
  thrownAway: 'Toleo limetupwa',
})
