import { translation } from '../catalogue'
import type en from '../en/first-steps'

export default translation<typeof en>({
  title: 'Fomu yako ya kwanza',
  about: 'Seva iko tayari. Njia tatu za kuanza; unaweza kutumia nyingine baadaye.',
  example: 'Tazama mfano',
  exampleAbout: 'Mradi wenye fomu, rekodi mia kadhaa, picha na maeneo, wa kujaribu kila kitu. Ufute ukimaliza.',
  exampleMake: 'Tengeneza mfano',
  exampleMaking: 'Seva inatengeneza mfano: fomu, rekodi zake na picha. Inachukua sekunde chache.',
  exampleSince: { one: 'sekunde {n} hadi sasa', other: 'sekunde {n} hadi sasa' },
  exampleDone: { one: 'Mfano uko tayari, wenye rekodi {n}.', other: 'Mfano uko tayari, wenye rekodi {n}.' },
  table: 'Ona jedwali',
  map: 'Ona ramani',
  charts: 'Ona chati',
  project: 'Fungua mradi',
  upload: 'Leta fomu',
  uploadAbout: 'Una XLSForm: faili ya Excel yenye maswali. Inaenda kwenye mradi wako wa kwanza.',
  place: '{sheet}, safu {row}',
  file: 'Chagua XLSForm',
  fileHint: '.xlsx, .xls au .csv',
  uploaded: '{title} iko tayari',
  refused: 'Fomu ina makosa. Hakuna kilichohifadhiwa; yarekebishe na uchague faili tena.',
  empty: 'Anza na mradi mtupu',
  emptyAbout: 'Mradi hubeba fomu, majibu yake, na watu wanaofanya kazi navyo.',
  name: 'Jina la mradi',
  make: 'Tengeneza mradi',
  later: 'Ruka hii',
})
