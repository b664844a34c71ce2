import { translation } from '../catalogue'
import type en from '../en/publish'

export default translation<typeof en>({
  title: 'Pakia fomu',
  drop: 'Dondosha XLSForm hapa, au chagua faili',
  dropMended: 'Dondosha faili lililorekebishwa hapa, au lichague',
  kinds: 'Excel (.xlsx, .xls), CSV, au XForm (.xml)',
  checking: 'Fomu inakaguliwa…',
  refusedTitle: { one: 'Jambo {n} la kurekebisha katika {file}', other: 'Mambo {n} ya kurekebisha katika {file}' },
  refusedAbout: 'Hakuna kilichohifadhiwa. Rekebisha faili lako na ulipakie tena hapa hapa.',
  refusedOther: '{file} halikukubaliwa',
  place: 'Wapi',
  problem: 'Tatizo',
  sheet: 'Laha {sheet}',
  row: 'mstari {row}',
  column: 'safu {column}',
  value: 'Imeandikwa “{value}”.',
  more: { one: 'na {n} zaidi', other: 'na {n} zaidi' },
  doneTitle: '“{title}” imechapishwa',
  takenId: 'Fomu nyingine hapa tayari ina kitambulisho hiki, kwa hiyo hii imepewa “{id}”.',
  warningsTitle: { one: 'Jambo {n} la kuangalia', other: 'Mambo {n} ya kuangalia' },
  warningsAbout: 'Fomu inafanya kazi. Hata hivyo unaweza kuangalia haya:',
  open: 'Fungua fomu',
  another: 'Pakia nyingine',
  close: 'Funga',
})
