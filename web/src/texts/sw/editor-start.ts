import { translation } from '../catalogue'
import type en from '../en/editor-start'

export default translation<typeof en>({
  untitled: 'Fomu isiyo na kichwa',
  goOnTitle: '“{title}” bado haijahifadhiwa',
  goOnAbout: 'Kivinjari hiki kiliweka ulichoandika. Uliandika mara ya mwisho:',
  goOn: 'Endelea',
  dropWork: 'Itupe',
  blank: 'Anza bila chochote',
  blankAbout: 'Fomu tupu. Ongeza swali moja baada ya jingine na uone fomu kando yake.',
  upload: 'Fungua lahajedwali',
  uploadHint: 'XLSForm: .xlsx au .csv. Makosa huonyeshwa yalipo, ili yarekebishwe hapa.',
  templates: 'Anza kwa kiolezo',
  take: 'Kitumie',
  look: 'Tazama ndani',
  questions: { one: 'Swali {n}', other: 'Maswali {n}' },
  fromForm: 'Anza kwa fomu nyingine',
  fromFormAbout: 'Nakala ya maswali yake. Fomu nyingine inabaki ilivyo.',
  form: 'Fomu',
  chooseForm: 'Chagua fomu',
  copyOf: '{title} (nakala)',
  noWorkbook: 'Fomu hii haina lahajedwali ya kuanzia.',
  fromLibrary: 'Anza kwa maktaba ya maswali',
  fromLibraryAbout: 'Maswali ambayo mtu wa mradi huu ameyaweka.',
  finished: 'Chapisha faili iliyokamilika',
  finishedAbout: 'XLSForm au XForm isiyohitaji mabadiliko huchapishwa mara moja.',
  oldExcel:
    'Hili ni faili la Excel ya zamani (.xls), ambalo vivinjari havisomi. Lifungue kwenye Excel au LibreOffice, chagua “Hifadhi kama”, chukua .xlsx, kisha liweke hapa. Au chapisha faili kama lilivyo: seva hulisoma.',
  publishFile: 'Chapisha faili',
  close: 'Funga',
})
