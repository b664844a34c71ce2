import { translation } from '../catalogue'
import type en from '../en/fill-edit'

export default translation<typeof en>({
  title: 'Badilisha: {form}',
  about: 'Unabadilisha rekodi iliyohifadhiwa.',
  conflict: 'Mtu mwingine amebadilisha rekodi hii kwa sasa',
  conflictAbout: 'Hakuna ulichoandika kilichopotea. Chagua kipi kihesabike kwa kila swali.',
  conflictBy: 'Ni {name}. Hakuna ulichoandika kilichopotea. Chagua kipi kihesabike kwa kila swali.',
  gone: 'Rekodi hii haipo tena',
  goneAbout: 'Mtu ameifuta wakati huo, au huwezi kuiona tena. Hakuna ulichoandika kilichopotea.',
  storeAnew: 'Hifadhi kama rekodi mpya',
  same: 'Zote zina majibu sawa.',
  'side-mine': 'Lako',
  'side-theirs': 'Lililohifadhiwa',
  empty: 'Hakuna jibu',
  noEntry: 'Ingizo hili halipo',
  merge: 'Tuma kwa chaguo hizi',
  keepBoth: 'Weka zote mbili',
  drop: 'Tupa yangu',
  goOn: 'Endelea kujaza kwanza',
  ways: '“Weka zote mbili” huhifadhi yako kama rekodi yake yenyewe. Kilichotupwa kinaweza kurudishwa kwa muda kutoka kisanduku cha kutuma.',
  notLoaded: 'Rekodi iliyohifadhiwa haikuweza kupakiwa. Badiliko lako limehifadhiwa.',
  notSent: 'Haikuweza kutumwa. Badiliko lako limehifadhiwa; jaribu tena.',
  tryAgain: 'Jaribu tena',
})
